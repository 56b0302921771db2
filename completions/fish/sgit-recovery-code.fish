# fish completion for sgit-recovery-code
complete -c sgit-recovery-code -f
complete -c sgit-recovery-code -l check -d 'read a code and print it in its normal form'
complete -c sgit-recovery-code -l lock -r -F -d 'read the lock from this file; - for standard input'
complete -c sgit-recovery-code -l secret-file -r -F -d 'read the secret from this file'
complete -c sgit-recovery-code -l secret-fd -x -d 'read the secret from this descriptor'
complete -c sgit-recovery-code -l insecure-secret-file -d 'take a secret file that others can read'
complete -c sgit-recovery-code -s h -d 'print this help'
complete -c sgit-recovery-code -l help -d 'open the manual'
complete -c sgit-recovery-code -l version -d 'print the version'
