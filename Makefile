# SPDX-License-Identifier: Apache-2.0
# The two commands a newcomer needs are `make demo` and `make test`; CMake does the work.
BUILD ?= build
JOBS ?= $(shell nproc)
CMAKE_FLAGS ?=

.PHONY: build demo test packages install format clean
build: packages-build
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo $(CMAKE_FLAGS) >$(BUILD).configure.log 2>&1 || { cat $(BUILD).configure.log; exit 3; }
	@rm -f $(BUILD).configure.log
	@cmake --build $(BUILD) -j $(JOBS)

packages-%:
	@tools/install-packages $*

test: packages-build packages-run packages-test
	@$(MAKE) --no-print-directory build
	@cd $(BUILD) && ctest --output-on-failure -j $(JOBS)

install: build
	cmake --install $(BUILD)

format:
	@git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf $(BUILD)
