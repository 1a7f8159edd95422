# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a window, driven by WebDriver: no more than the report's test needs."""

import base64
import json
import pathlib
import re
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
