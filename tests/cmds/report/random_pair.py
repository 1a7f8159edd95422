# SPDX-License-Identifier: GPL-3.0-or-later
"""Two profiles of functions that call each other, some of them in one profile only.

    random_pair.py SEED older newer
"""
import random
import sys

random.seed(int(sys.argv[1]))
for name in sys.argv[2:]:
    with open(name, 'w') as file:
        events = 'Ir Dr' if name == 'older' else 'Dr Bc Ir'
        print('events:', events, file=file)
        for function in range(12):
            if random.random() < 0.2:
                continue
            print('fl=file%d\nfn=f%d' % (function % 3, function), file=file)
            for line in sorted(random.sample(range(5), 3)):
                print(line, *(random.randrange(9) for _ in events.split()), file=file)
            for line in range(random.randrange(4)):
                to = random.randrange(12)
                print('cfi=file%d\ncfn=f%d\ncalls=%d 1' % (to % 3, to, random.randrange(5)), file=file)
                print(line, *(random.randrange(900) for _ in events.split()), file=file)
