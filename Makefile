# One command for each thing one does here; `make help` prints them.

SHELL := /bin/bash
.DEFAULT_GOAL := all
.PHONY: setup packages all debug test unit shell file-systems pages interop check docs format lint fuzz bench fresh \
	install uninstall clean help

# Where `make install` puts things. DESTDIR stands before it and is not recorded anywhere.
PREFIX ?= $(CURDIR)/.local
DESTDIR ?=
FUZZ_SECONDS ?= 60
export PREFIX DESTDIR FUZZ_SECONDS

# A backtracer that outlives the program it watches keeps pipes open; a tool that holds keys wants none.
export SWIFT_BACKTRACE := enable=no

# A plain `swift build` accepts an import of a sibling target that is not declared.
CHECKED := --explicit-target-dependency-import-check error

TOOLS := $(sort $(notdir $(wildcard Sources/sgit-*)))
# Of these, what only another tool runs: in libexec/sgit, without completions.
LIBEXEC := sgit-read-archive
export TOOLS LIBEXEC

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# What `make setup` installs, a line a purpose: build; install; tests; manual and completions, which tests ask; pages;
# form; interop; fresh; bench (which also needs gcc and git).
PACKAGES := \
	libssl-dev zlib1g-dev libsodium-dev libutf8proc-dev libarchive-dev libqrencode-dev \
	binutils \
	perl python3 gcc libc6-dev git zip unzip libarchive-tools bzip2 xz-utils zstd jq exfat-fuse exfatprogs fuse3 \
	bash zsh fish man-db \
	chromium zbar-tools poppler-utils \
	mandoc shellcheck \
	python3-venv ca-certificates \
	debootstrap \
	openssl strace patch util-linux

setup: packages ## Install the Debian packages, build, and install under PREFIX (default: .local)
	@command -v swift >/dev/null || { echo >&2 'make: swift is not on the PATH; Swift 6.3 is needed'; exit 1; }
	$(MAKE) install

packages:
	$(SUDO) apt-get update
	$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $(PACKAGES)

all: ## Build all tools for release (the default)
	swift build $(CHECKED) --configuration release
	@$(LINK_RUNTIME)

debug: ## Build all tools for debugging
	swift build $(CHECKED) --configuration debug
	@$(LINK_RUNTIME)

# A tool looks for the Swift runtime in ../lib/sgit. Where it is built, that is the toolchain's folder.
define LINK_RUNTIME
build=$$(dirname "$$(swift build --configuration release --show-bin-path)") && \
runtime=$$(dirname "$$(readlink -f "$$(command -v swift)")")/../lib/swift/linux && \
mkdir -p "$$build/lib" && ln -sfn "$$(readlink -f "$$runtime")" "$$build/lib/sgit"
endef

test: unit shell ## Run the unit tests and the shell tests

unit:
	swift test $(CHECKED)

# Those that try every place where something may go wrong, or every signal. They need nothing that the others do not need,
# so that with BRIEF=1, on a machine where only what is installed is in question, they are left out.
EXHAUSTIVE := t9100-first-hour t9105-no-secret-leaks t0010-fuzz t4102-vault-file-attacks t4103-pack-kills t9002-write-kills t9103-many-devices t9106-kills
SHELL_TESTS := $(filter-out $(if $(BRIEF),$(EXHAUSTIVE:%=Tests/t/%.sh)),$(sort $(wildcard Tests/t/t[0-9]*.sh)))

# The tests run make themselves, so nothing of this run's command line may reach them.
shell: all
	env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u PREFIX -u DESTDIR prove --timer -j 2 $(SHELL_TESTS)

file-systems: all ## Write vault files to an exFAT stick, a full disk and a read-only folder (needs root and a loop device)
	env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u PREFIX -u DESTDIR prove --timer Tests/t/file-systems.sh

pages: all ## Print the recovery page in a browser and on a terminal, read its QR code back and type its steps
	env -u MAKEFLAGS -u MAKEOVERRIDES -u MAKELEVEL -u PREFIX -u DESTDIR prove --timer Tests/t/pages.sh

interop: all ## Compare with the pinned release of sgit, in a virtual environment of its own
	Tests/Interop/run

check: ## Run all that CI runs
	.ci/run

docs: all ## Write the generated parts of the man pages, and the completions
	man/update

SWIFT_SOURCES = $(wildcard Package.swift Sources Tests Fuzz Benchmarks)

format: ## Format all Swift files in place
	swift format format --in-place --parallel --recursive $(SWIFT_SOURCES)

lint: ## Check the form of Swift files, shell scripts and man pages
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	Tests/lint/shell
	mandoc -T lint -W warning man/man*/*.[157]

fuzz: ## Run each fuzz target for FUZZ_SECONDS (default: 60)
	Fuzz/run

bench: all ## Measure, and print each figure beside its reference
	Benchmarks/run

fresh: ## Do what the README says in a new Debian tree with nothing but Swift (needs root)
	Tests/fresh/run

# Under sudo there may be no swift; then what is built already is installed.
install: $(if $(shell command -v swift),all) ## Install tools, runtime, man pages and completions under DESTDIR and PREFIX
	Install/run install

uninstall: ## Remove what `make install` made, and the folders it made
	Install/run uninstall

clean: ## Remove what was built
	rm -rf .build Benchmarks/.build Fuzz/.build

help: ## Print these lines
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
