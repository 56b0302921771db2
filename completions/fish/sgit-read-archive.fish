# fish completion for sgit-read-archive
complete -c sgit-read-archive -f
complete -c sgit-read-archive -s h -d 'print this help'
complete -c sgit-read-archive -l help -d 'open the manual'
complete -c sgit-read-archive -l version -d 'print the version'
