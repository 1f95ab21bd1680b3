# The few steps that only system calls can make: preparing a sandbox from inside, entering it with a command, and reaching a port in it.
#
#   enter.pl ARCH prepare                 as the sandbox's first process: closes what bubblewrap leaves open, says so, then reaps orphans
#   enter.pl ARCH run FD...               enters the namespaces at FD..., and runs the command that is described on descriptor 3
#   enter.pl ARCH connect FD PORT         enters the network namespace at FD, and joins PORT there to standard input and output
#   enter.pl ARCH listen FD PORT PATH     enters the network namespace at FD, and joins who connects to PORT there to the Unix socket PATH
#
# Perl, because perl-base is part of every Debian, and its `syscall` needs no compiler. No module is loaded: it starts faster, and
# nothing is looked up while this process holds capabilities.

use strict;

my $machine = shift @ARGV // '';
my %number = (
    x64 => {
        audit => 0xC000003E, prctl => 157, capset => 126, mount => 165, setns => 308, ioctl => 16, setsid => 112, socket => 41, clone => 56,
        unshare => 272, chown => [92, 93, 94, 260], refused => [
            250, 248, 249,              # keyctl, add_key, request_key: the kernel's keys know no namespace
            321, 298, 323,              # bpf, perf_event_open, userfaultfd
            165, 166, 155, 161, 308,    # mount, umount2, pivot_root, chroot, setns
            303, 304,                   # name_to_handle_at, open_by_handle_at
            246, 320, 175, 313, 176,    # kexec_load, kexec_file_load, init_module, finit_module, delete_module
            167, 168, 163, 169, 179,    # swapon, swapoff, acct, reboot, quotactl
            172, 173,                   # iopl, ioperm
        ],
    },
    arm64 => {
        audit => 0xC00000B7, prctl => 167, capset => 91, mount => 40, setns => 268, ioctl => 29, setsid => 157, socket => 198, clone => 220,
        unshare => 97, chown => [54, 55], refused => [
            219, 217, 218, 280, 241, 282, 40, 39, 41, 51, 268, 264, 265, 104, 294, 105, 273, 106, 224, 225, 89, 142, 60,
        ],
    },
);
my $nr = $number{$machine} or fail("there is no sandbox for a processor of kind '$machine'");
my ($CLOSE_RANGE, $MOUNT_SETATTR) = (436, 442);

my $mode = shift @ARGV // '';
$mode eq 'prepare' ? prepare() : $mode eq 'run' ? run(@ARGV) : $mode eq 'connect' ? relay(@ARGV) : $mode eq 'listen' ? offer(@ARGV) : fail("unknown mode '$mode'");

sub fail { print STDERR "computerd: $_[0]\n"; exit 126 }

sub prepare {
    close_from(3);    # the daemon's own files, the mount's connection to the kernel among them
    # Of this user namespace only: whoever is in it can make no further ones, in which it would have every capability again.
    open my $limit, '>', '/proc/sys/user/max_user_namespaces' or fail("max_user_namespaces: $!");
    print $limit "0\n";
    close $limit or fail("max_user_namespaces: $!");

    # These are the machine's own device nodes: as their owner a command could change their mode for the whole machine.
    seal("/dev/$_") for qw(null zero full random urandom tty);
    narrow_proc();
    drop();
    $SIG{CHLD} = 'IGNORE';
    syscall($nr->{prctl}, 1, 9, 0, 0, 0);    # PR_SET_PDEATHSIG: as bubblewrap goes, so does everything in here
    $| = 1;
    print "ready\n";
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    sleep 1000 while 1;
}

# The owner of a file in /proc is the machine's root, and so is a command, capabilities or not. So all that is not known to be
# harmless is covered, and the rest cannot be written.
sub narrow_proc {
    my %open = map { $_ => 1 } qw(self thread-self mounts net cpuinfo meminfo stat loadavg uptime version filesystems devices
        vmstat diskstats partitions swaps);
    opendir my $proc, '/proc' or fail("/proc: $!");
    for my $name (sort readdir $proc) {
        next if $name =~ /^(\.|\.\.|\d+)$/ or $open{$name};
        my $path = "/proc/$name";
        if ($name eq 'sys') { attach($path, $path); seal($path) }
        elsif (-d $path) { cover($path) }
        else { attach('/dev/null', $path); seal($path) }
    }
}

sub attach { mount($_[0], $_[1], 0, 0x1000) }
sub cover { mount('tmpfs', $_[0], 'tmpfs', 0x1 | 0x2 | 0x4 | 0x8) }

sub mount {
    my ($source, $target, $type, $flags) = @_;
    syscall($nr->{mount}, $source, $target, $type, $flags, 0) == 0 or fail("mount $target: $!");
}

sub seal {
    my ($path) = @_;
    my $attributes = pack 'Q4', 0x1, 0, 0, 0;    # MOUNT_ATTR_RDONLY; the others stay as they are
    syscall($MOUNT_SETATTR, -100, $path, 0, $attributes, 32) == 0 or fail("sealing $path: $! (it takes Linux 5.12 or newer)");
}

sub run {
    my @namespaces = @_;
    close_from(4 + @namespaces);    # the daemon's own files
    $) = '0 0';    # no supplementary groups
    my $mover = give_pipes(@namespaces);
    # So far it may have been started ahead of its command, for which it waits here.
    my $request = do { local $/; open my $in, '<&=', 3 or fail("descriptor 3: $!"); <$in> };
    exit 0 if $request eq '';
    my ($cwd, $source, @env) = split /\0/, $request, -1;
    pop @env;
    $0 = 'computerd: a command';
    enter($_) for @namespaces;
    my @handled = qw(TERM INT HUP QUIT USR1 USR2 ALRM);
    my $told;
    $SIG{$_} = sub { $told = $_[0] } for @handled;
    my $child = fork // fail("cannot enter the sandbox, it has ended: $!");
    stay($child, $mover) if $child;

    $SIG{$_} = 'DEFAULT' for @handled;
    kill $told, $$ if $told;
    close_from(3);
    drop();
    umask 022;
    chdir $cwd or fail("cannot start in '$cwd': $!");
    %ENV = ();
    for (@env) { my ($name, $value) = split /=/, $_, 2; $ENV{$name} = $value }
    exec { '/bin/sh' } '/bin/sh', '-c', '--', $source;
    fail("cannot start /bin/sh: $!");
}

sub enter {
    my ($fd) = @_;
    syscall($nr->{setns}, $fd + 0, 0) == 0 or fail("cannot enter the sandbox: $!");
}

# What this process was given to read from and write to are sockets, which nothing can open by name. A command may say
# `> /dev/stderr` or `cat /dev/stdin`, so it gets pipes, and a process of their own moves what goes through them. That one is outside
# the command's group: what was said before a KILL still arrives.
sub give_pipes {
    pipe(my $in, my $give) && pipe(my $take_out, my $out) && pipe(my $take_err, my $err) or fail("pipe: $!");
    my $mover = fork // fail("fork: $!");
    if ($mover == 0) {
        $0 = 'computerd: the pipes of a command';
        syscall($nr->{setsid});
        for (3, @_) { open my $inherited, '<&=', $_; close $inherited }
        close $_ for $in, $out, $err;
        drop();
        move([$take_out, *STDOUT], [$take_err, *STDERR], [*STDIN, $give]);
        exit 0;
    }
    open STDIN, '<&', $in and open STDOUT, '>&', $out and open STDERR, '>&', $err or fail("pipes: $!");
    close $_ for $in, $out, $err, $give, $take_out, $take_err;
    return $mover;
}

# Stands for the command in the process group outside, and ends exactly as it does. A signal to the group is the command's to handle.
sub stay {
    my ($child, $mover) = @_;
    close_from(0);
    1 until waitpid($child, 0) == $child;
    my $status = $?;
    # Where nothing in the background holds the pipes, their mover is about to end too. It is waited for, up to 50 ms, so that not every
    # command leaves a zombie where nobody collects orphans, as in many containers.
    for (my $waits = 0; $waits < 50 && waitpid($mover, 1) == 0; $waits++) { select undef, undef, undef, 0.001 }
    my $signal = $status & 127;
    if ($signal) {
        my @names = qw(ZERO HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM);
        $SIG{$names[$signal]} = 'DEFAULT' if $signal < @names && $signal != 9;
        syscall($nr->{prctl}, 4, 0, 0, 0, 0);    # PR_SET_DUMPABLE: the core, if any, has been written
        kill $signal, $$;
        exit 128 + $signal;
    }
    exit $status >> 8;
}

sub close_from { syscall($CLOSE_RANGE, $_[0], 0xFFFFFFFF, 0) == 0 or fail("close_range: $!") }

# Gives up every capability for good, and with a filter what the kernel offers to anyone but does not keep apart between computers.
sub drop {
    my $capability = 0;
    $capability++ while $capability < 64 && syscall($nr->{prctl}, 24, $capability, 0, 0, 0) == 0;    # PR_CAPBSET_DROP
    syscall($nr->{prctl}, 47, 4, 0, 0, 0);                                                           # PR_CAP_AMBIENT_CLEAR_ALL
    my ($version, $none) = (pack('L2', 0x20080522, 0), pack('L6', (0) x 6));
    syscall($nr->{capset}, $version, $none) == 0 or fail("dropping capabilities: $!");
    syscall($nr->{prctl}, 38, 1, 0, 0, 0) == 0 or fail("no new privileges: $!");                     # PR_SET_NO_NEW_PRIVS
    my $program = filter();
    my $header = pack 'Sx![P]P', length($program) / 8, $program;
    syscall($nr->{prctl}, 22, 2, $header, 0, 0) == 0 or fail("the filter of system calls: $!");      # PR_SET_SECCOMP
}

sub filter {
    my ($EPERM, $ENOSYS, $EAFNOSUPPORT) = map { 0x00050000 | $_ } 1, 38, 97;
    my ($ALLOW, $PRETEND) = (0x7fff0000, 0x00050000);
    my $op = sub { pack 'SCCL', @_ };
    my $load = sub { $op->(0x20, 0, 0, $_[0]) };
    my $return = sub { $op->(0x06, 0, 0, $_[0]) };
    my $when = sub { my ($number, @then) = @_; my $then = join '', @then; $op->(0x15, 0, length($then) / 8, $number) . $then };
    my $if_bits = sub { my ($bits, $then) = @_; $op->(0x45, 0, length($then) / 8, $bits) . $then };
    my ($argument0, $argument1) = (16, 24);
    my $namespaces = 0x7E020000;

    return join '',
        $load->(4), $op->(0x15, 1, 0, $nr->{audit}), $return->($ENOSYS),    # another processor's calls have other numbers
        $load->(0), $op->(0x35, 0, 1, 0x40000000), $return->($ENOSYS),      # so have those of x32
        (map { $when->($_, $return->($EPERM)) } @{ $nr->{refused} }, 428 .. 433, $MOUNT_SETATTR),
        (map { $when->($_, $return->($ENOSYS)) } 425 .. 427, 435),          # io_uring; clone3, whose flags a filter cannot see
        # There is one owner in here. Giving a file to another does nothing, so that `tar` and `cp -a` of root do not fail over it.
        (map { $when->($_, $return->($PRETEND)) } @{ $nr->{chown} }),
        $when->($nr->{clone}, $load->($argument0), $if_bits->($namespaces, $return->($EPERM)), $return->($ALLOW)),
        $when->($nr->{unshare}, $load->($argument0), $if_bits->($namespaces | 0x80, $return->($EPERM)), $return->($ALLOW)),
        # TIOCSTI and TIOCLINUX type into a terminal.
        $when->($nr->{ioctl}, $load->($argument1), (map { $when->($_, $return->($EPERM)) } 0x5412, 0x541C), $return->($ALLOW)),
        # Unix, IPv4, IPv6 and netlink have namespaces; vsock, for one, reaches past them to the machine's hypervisor.
        $when->($nr->{socket}, $load->($argument0), (map { $when->($_, $return->($ALLOW)) } 1, 2, 10, 16), $return->($EAFNOSUPPORT)),
        $return->($ALLOW);
}

sub relay {
    my ($fd, $port) = @_;
    $0 = 'computerd: a connection';
    enter($fd);
    my $socket;
    socket($socket, 2, 1, 0) && connect($socket, pack 'Sna4x8', 2, $port, "\x7f\0\0\1")
        or socket($socket, 10, 1, 0) && connect($socket, pack 'SnNa16N', 10, $port, 0, "\0" x 15 . "\1", 0)
        or fail("nothing listens on port $port");
    drop();
    print STDERR "connected\n";
    move([$socket, *STDOUT], [*STDIN, $socket]);
}

sub offer {
    my ($fd, $port, $path) = @_;
    $0 = 'computerd: the way out';
    syscall($nr->{prctl}, 1, 9, 0, 0, 0);    # PR_SET_PDEATHSIG
    enter($fd);
    my $server;
    socket($server, 2, 1, 0) && setsockopt($server, 1, 2, 1) && bind($server, pack 'Sna4x8', 2, $port, "\x7f\0\0\1") && listen($server, 128)
        or fail("cannot listen on port $port: $!");
    drop();
    $| = 1;
    print "listening\n";
    $SIG{CHLD} = 'IGNORE';
    while (1) {
        accept(my $client, $server) or next;
        my $child = fork;
        if (defined $child && $child == 0) {
            close $server;
            my $way;
            socket($way, 1, 1, 0) && connect($way, pack 'Sa*', 1, $path) or exit 1;
            move([$way, $client], [$client, $way]);
            exit 0;
        }
        close $client;
    }
}

# Moves bytes one way for each pair, with 64 KiB under way at most, until all but the last pair have come to their ends. Never waits
# for one pair alone: whoever is at the other side may do just that.
sub move {
    my @ways = map { { from => $_->[0], to => $_->[1], bytes => '' } } @_;
    my $last = $ways[-1];
    for (map { @$_ } @_) { fcntl $_, 4, 0x800 or fail("fcntl: $!") }    # F_SETFL, O_NONBLOCK
    $SIG{PIPE} = 'IGNORE';
    while (grep { $_ != $last } @ways) {
        my ($readable, $writable) = ('', '');
        for (@ways) { $_->{bytes} eq '' ? vec($readable, fileno $_->{from}, 1) = 1 : vec($writable, fileno $_->{to}, 1) = 1 }
        next if select($readable, $writable, undef, undef) < 0;
        @ways = grep { step($_, $readable, $writable) } @ways;
    }
}

# One read or one write; false at the end of a way, which is passed on.
sub step {
    my ($way, $readable, $writable) = @_;
    my ($from, $to) = @$way{qw(from to)};
    if ($way->{bytes} ne '') {
        return 1 unless vec $writable, fileno $to, 1;
        my $sent = syswrite $to, $way->{bytes};
        if (!defined $sent) {
            return 1 if $! == 4 or $! == 11;    # EINTR, EAGAIN
            close $from;                        # so that who writes there hears of it
            return 0;
        }
        substr $way->{bytes}, 0, $sent, '';
        return 1;
    }
    return 1 unless vec $readable, fileno $from, 1;
    my $got = sysread $from, $way->{bytes}, 65536;
    return $got || (!defined $got && ($! == 4 or $! == 11)) || end_of($to);
}

# A socket is closed for writing alone, since its other half may be in use.
sub end_of { shutdown $_[0], 1 or close $_[0]; return 0 }
