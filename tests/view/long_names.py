# SPDX-License-Identifier: GPL-3.0-or-later
"""A profile of names like the standard library's, a file's name in two folders, and a function that calls itself."""
string = 'std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >'
names = [f'std::map<{string}, std::vector<double, std::allocator<double> > >::{name}({string} const&)'
         for name in ('operator[]', 'lower_bound', 'find', 'emplace_hint<std::piecewise_construct_t const&>')]
print('version: 1\ncreator: test\ncmd: long\npositions: line\nevents: Ir\nsummary: 190\nob=/bin/long')
print('fl=/src/a/long.cc\nfn=main\n1 10\ncfn=climb\ncalls=1 2\n2 90')
for number, name in enumerate(names):
    print(f'cfn={name}\ncalls=1 {number + 10}\n3 20')
print('cfn=inlined\ncalls=1 5\n4 10\nfn=climb\n5 90\ncalls=9 5\n6 360'.replace('calls=9', 'cfn=climb\ncalls=9'))
for number, name in enumerate(names):
    print(f'fn={name}\n{number + 10} 20')
print('fn=inlined\n5 2\nfi=/src/a/same.h\n7 3\nfi=/src/b/same.h\n7 5')
