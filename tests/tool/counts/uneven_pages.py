# SPDX-License-Identifier: GPL-3.0-or-later
"""How often the lines of 240 pages miss LL that "limits uneven" puts anywhere, by the same random numbers."""
frames = list(range(1024))
state = 1
for i in range(240):
    state = (state * 1103515245 + 12345) % 2**32
    other = i + (state >> 16) % (1024 - i)
    frames[i], frames[other] = frames[other], frames[i]
pages = [sum(1 for frame in frames[:240] if frame % 16 == color) for color in range(16)]
print(64 * sum(n * 10 if n > 16 else n for n in pages))
