# fish completion for sgit-unwrap-key
complete -c sgit-unwrap-key -f
complete -c sgit-unwrap-key -n 'contains -- --exec (commandline -opc)' -F -a '(__fish_complete_command)'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l lock -r -F -d 'read the lock from this file; - for standard input'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l secret-file -r -F -d 'read the secret from this file'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l secret-fd -x -d 'read the secret from this descriptor'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l insecure-secret-file -d 'take a secret file that others can read'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l provider -x -d 'have this helper answer for locks of kind command'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l exec -d 'print nothing; run a command that finds the key by $SGIT_KEY_FD'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -s h -d 'print this help'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l help -d 'open the manual'
complete -c sgit-unwrap-key -n 'not begin; contains -- --exec (commandline -opc); end' -l version -d 'print the version'
