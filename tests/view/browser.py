# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a window, driven by WebDriver: no more than the report's test needs.

Chromium by its chromedriver.  Debian has none for Firefox, whose Marionette takes the same commands in
a framing of its own.
"""

import base64
import json
import pathlib
import re
import socket
import subprocess
import time
import urllib.request

ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
KEYS = {'Enter': '\ue007', 'Escape': '\ue00c', 'Tab': '\ue004', 'Down': '\ue015', 'Up': '\ue013',
        'Left': '\ue012', 'Right': '\ue014', 'Home': '\ue011', 'End': '\ue010', 'PageDown': '\ue00f'}


class Failed(Exception):
    """The browser did not do what was asked; str() says what it answered."""


class Browser:
    """chromedriver and a Chromium of its own; close() ends both."""

    def __init__(self, folder):
        self.driver = subprocess.Popen(['chromedriver', '--port=0'], stdout=subprocess.PIPE,
                                       stderr=subprocess.DEVNULL, text=True)
        self.session = None
        try:
            self.base = f'http://127.0.0.1:{self.port()}'
            options = {'args': ['--headless=new', '--no-sandbox', '--disable-gpu', '--hide-scrollbars',
                                '--disable-dev-shm-usage', f'--user-data-dir={folder}'],
                       'binary': self.binary()}
            wanted = {'browserName': 'chrome', 'goog:chromeOptions': options,
                      'goog:loggingPrefs': {'browser': 'ALL'}}
            self.session = self.call('POST', '/session',
                                     {'capabilities': {'alwaysMatch': wanted}}, '')['sessionId']
        except BaseException:
            self.close()
            raise

    @staticmethod
    def binary():
        real = pathlib.Path('/usr/lib/chromium/chromium')
        return str(real) if real.exists() else '/usr/bin/chromium'

    def port(self):
        for line in self.driver.stdout:
            match = re.search(r'started successfully on port (\d+)', line)
            if match:
                return match[1]
        raise Failed('chromedriver did not start')

    def call(self, method, path, body=None, prefix=None):
        prefix = f'/session/{self.session}' if prefix is None else prefix
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + prefix + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)['value']
        except urllib.error.HTTPError as error:
            raise Failed(f'{path}: {json.load(error)["value"]["message"].splitlines()[0]}') from None

    def close(self):
        if self.session:
            self.call('DELETE', '')
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()

    def size(self, width, height):
        # Also below the 500 pixels that a window must have.
        self.call('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setDeviceMetricsOverride',
            'params': {'width': width, 'height': height, 'deviceScaleFactor': 1, 'mobile': False}})

    def scheme(self, name):
        self.call('POST', '/goog/cdp/execute', {
            'cmd': 'Emulation.setEmulatedMedia',
            'params': {'features': [{'name': 'prefers-color-scheme', 'value': name}]}})

    def media(self, name):
        """'print' shows what paper would have; '' is the screen."""
        self.call('POST', '/goog/cdp/execute', {'cmd': 'Emulation.setEmulatedMedia', 'params': {'media': name}})

    def open(self, path, fragment=''):
        self.call('POST', '/url', {'url': 'about:blank'})
        self.call('POST', '/url', {'url': pathlib.Path(path).resolve().as_uri() + fragment})
        self.wait('return document.documentElement.dataset.ready')

    def run(self, script, *args):
        return self.call('POST', '/execute/sync', {'script': script, 'args': list(args)})

    def wait(self, script, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            value = self.run(script)
            if value:
                return value
            time.sleep(0.05)
        raise Failed(f'waited in vain for: {script}')

    def keys(self, *keys):
        """Presses keys, by their names in KEYS or as characters."""
        actions = []
        for key in keys:
            for character in (KEYS[key] if key in KEYS else key):
                actions += [{'type': 'keyDown', 'value': character}, {'type': 'keyUp', 'value': character}]
        self.call('POST', '/actions', {'actions': [{'type': 'key', 'id': 'keyboard', 'actions': actions}]})

    def drag(self, begin, end):
        """Moves what is at a point (x, y) to another one."""
        moves = [{'type': 'pointerMove', 'x': begin[0], 'y': begin[1]}, {'type': 'pointerDown', 'button': 0},
                 {'type': 'pointerMove', 'x': end[0], 'y': end[1]}, {'type': 'pointerUp', 'button': 0}]
        self.call('POST', '/actions', {'actions': [{'type': 'pointer', 'id': 'mouse', 'actions': moves}]})

    def click(self, selector):
        found = self.call('POST', '/element', {'using': 'css selector', 'value': selector})
        self.call('POST', f'/element/{found[ELEMENT]}/click', {})

    def back(self):
        self.call('POST', '/back', {})

    def errors(self):
        """What the browser had to complain of since the last call."""
        return [entry['message'] for entry in self.call('POST', '/se/log', {'type': 'browser'})
                if entry['level'] == 'SEVERE']

    def picture(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call('GET', '/screenshot')))


class Firefox(Browser):
    """A Firefox of its own, by Marionette: [0, number, command, parameters] is answered by [1, number, error, result],
    each as its length, a colon, and JSON."""

    COMMANDS = {'/url': 'Navigate', '/execute/sync': 'ExecuteScript', '/actions': 'PerformActions', '/back': 'Back',
                '/element': 'FindElement', '/screenshot': 'TakeScreenshot', '/print': 'Print'}
    # Nothing that starts by itself, and no frame about the page that hides a part of it.
    SETTINGS = {'marionette.port': 0, 'browser.shell.checkDefaultBrowser': False, 'app.update.disabledForTesting': True,
                'datareporting.policy.dataSubmissionEnabled': False, 'browser.aboutwelcome.enabled': False,
                'toolkit.telemetry.reportingpolicy.firstRun': False, 'network.captive-portal-service.enabled': False,
                'network.connectivity-service.enabled': False, 'services.settings.server': 'data:,',
                'ui.useOverlayScrollbars': 1}

    def __init__(self, folder):
        folder.mkdir(parents=True, exist_ok=True)
        port = folder / 'MarionetteActivePort'
        port.unlink(missing_ok=True)
        (folder / 'user.js').write_text(''.join(f'user_pref("{key}", {json.dumps(value)});\n'
                                                for key, value in self.SETTINGS.items()))
        # System access: what only the browser itself can do, below.
        self.driver = subprocess.Popen(['firefox-esr', '--headless', '--marionette', '--remote-allow-system-access',
                                        '--no-remote', '--profile', str(folder)],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.socket, self.number, self.seen = None, 0, 0
        try:
            self.socket = socket.create_connection(('127.0.0.1', self.wait_for(port)), timeout=120)
            self.stream = self.socket.makefile('rb')
            self.message()
            self.command('WebDriver:NewSession', {'capabilities': {'alwaysMatch': {}}})
            self.errors()
        except BaseException:
            self.close()
            raise

    def wait_for(self, port):
        end = time.monotonic() + 60
        while time.monotonic() < end and self.driver.poll() is None:
            if port.exists() and port.read_text().strip():
                return int(port.read_text())
            time.sleep(0.05)
        raise Failed('firefox-esr did not start')

    def message(self):
        length = b''
        while not length.endswith(b':'):
            byte = self.stream.read(1)
            if not byte:
                raise Failed('firefox-esr is gone')
            length += byte
        return json.loads(self.stream.read(int(length[:-1])))

    def command(self, name, parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b':' + text)
        error, result = self.message()[2:]
        if error:
            raise Failed(f'{name}: {error["message"].splitlines()[0]}')
        return result

    def call(self, method, path, body=None, prefix=None):
        click = re.fullmatch('/element/(.*)/click', path)
        if click:
            return self.command('WebDriver:ElementClick', {'id': click[1]})
        result = self.command('WebDriver:' + self.COMMANDS[path], body or {'full': False})
        return result['value'] if 'value' in result else result

    def close(self):
        if self.socket:
            self.stream.close()
            self.socket.close()
        self.driver.terminate()
        self.driver.wait()

    def chrome(self, script, *args):
        """Runs a script in the browser itself."""
        self.command('Marionette:SetContext', {'value': 'chrome'})
        try:
            return self.call('POST', '/execute/sync', {'script': script, 'args': list(args)})
        finally:
            self.command('Marionette:SetContext', {'value': 'content'})

    def size(self, width, height):
        # Of the page: a window has at least 450 pixels, and a frame.
        self.command('WebDriver:SetWindowRect', {'width': max(width, 500) + 100, 'height': height + 200})
        self.chrome("""const style = gBrowser.selectedBrowser.style;
            for (const [key, value] of [['width', arguments[0]], ['height', arguments[1]]])
                for (const limit of ['min-', 'max-', ''])
                    style.setProperty(limit + key, value + 'px');""", width, height)
        for _ in range(100):
            if self.run('return [innerWidth, innerHeight]') == [width, height]:
                return
            time.sleep(0.02)
        raise Failed(f'no {width} x {height}: {self.run("return [innerWidth, innerHeight]")}')

    def scheme(self, name):
        self.chrome('gBrowser.selectedBrowser.browsingContext.top.prefersColorSchemeOverride = arguments[0]', name)

    def media(self, name):
        self.chrome('gBrowser.selectedBrowser.browsingContext.top.mediumOverride = arguments[0]', name)

    def errors(self):
        found = self.chrome("""return Services.console.getMessageArray().filter(message =>
            message instanceof Ci.nsIScriptError && !(message.flags & Ci.nsIScriptError.warningFlag) &&
            /^(file:|data:|$)/.test(message.sourceName)).map(message => String(message));""")
        new = found[self.seen:]
        self.seen = len(found)
        return new


def launch(name, folder):
    """The browser of that name."""
    return {'chromium': Browser, 'firefox': Firefox}[name](folder)
