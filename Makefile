# SPDX-License-Identifier: Apache-2.0
# The two commands a newcomer needs are `make demo` and `make test`; CMake does the work.
BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=

.PHONY: build demo test sanitize gpu-pack gpu-test packages install format clean
build: packages-build
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo $(CMAKE_FLAGS) >$(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; exit 3; }
	@rm -f $(BUILD).configure.log
	@cmake --build $(BUILD) -j $(JOBS)

packages-%:
	@tools/install-packages $*

test: packages-build packages-run packages-test
	@$(MAKE) --no-print-directory build
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

# What gpukit does in its own processes, with AddressSanitizer, UBSan and then ThreadSanitizer.
sanitize: packages-build packages-test
	@tests/sanitize.sh $(BUILD)-address address
	@tests/sanitize.sh $(BUILD)-thread thread

demo: packages-build packages-run
	@$(MAKE) --no-print-directory build
	@mkdir -p $(BUILD)/demo
	@$(BUILD)/gpukit compare --plot $(BUILD)/demo/times examples/mandelbrot.cu -- \
	    1280 960 256 $(BUILD)/demo/mandelbrot.png
	@echo "picture: $(BUILD)/demo/mandelbrot.png"

# What `make gpu-test` needs on a machine without compilers: programs built here travel in $(BUILD)/gpu,
# the libraries that gpukit and its compiler need (LLVM's among them) in $(BUILD)/gpu/lib.
gpu-pack: build
	@mkdir -p $(BUILD)/gpu/lib
	@ldd $(BUILD)/gpukit $(BUILD)/gpukit-jit | awk '$$3 ~ /^\// { print $$3 }' | sort -u | \
	    grep -v '/lib\(c\|m\|gcc_s\|stdc++\)\.so' | xargs cp -Lt $(BUILD)/gpu/lib
	@for f in examples/*.cu tests/programs/*.cu tests/runtime/texture.cu $(wildcard ../shared/bench/refkernels.cu); do \
	    arch=$$(sed -n 's/^ \* Needs --arch \(sm_[0-9a]*\).*/-arch=\1/p' $$f); \
	    $(BUILD)/gpukit cc $$arch -O2 -o $(BUILD)/gpu/$$(basename $$f .cu) $$f || exit 1; done

# On a machine with a GPU; builds nothing.
gpu-test:
	@tests/gpu/run $(BUILD)

PREFIX ?= /usr/local
install:
	@$(MAKE) --no-print-directory build CMAKE_FLAGS="$(CMAKE_FLAGS) -DCMAKE_INSTALL_PREFIX=$(abspath $(PREFIX))"
	@cmake --install $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD)
