# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of costgrind's words in fish: what there is says costgrind --complete.

function __costgrind_complete
	set -l words (commandline -opc)
	set -l typed (commandline -ct)
	# What is before the value of an option stays as it is.
	set -l head (string match -r '^-[^=]*=' -- $typed)
	test -n "$head"; or set head ""
	set -l value (string replace -r '^-[^=]*=' '' -- $typed)

	for line in ($words[1] --complete $words[2..-1] $typed 2>/dev/null)
		switch $line
			case :file
				printf "%s\n" $head(__fish_complete_path $value)
			case :directory
				printf "%s\n" $head(__fish_complete_directories $value '')
			case :program
				printf "%s\n" $head(__fish_complete_path $value)
				test -n "$value"; and printf "%s\n" $head(__fish_complete_command)
			case '*'
				printf "%s\n" $line
		end
	end
end

complete -c costgrind -f -a '(__costgrind_complete)'
