/* SPDX-License-Identifier: Apache-2.0
 *
 * Files: whole reads, atomic writes, folders, where gpukit itself lies. */
#ifndef GPUKIT_BASE_FS_H
#define GPUKIT_BASE_FS_H

#include "base/buf.h"

#include <stdbool.h>

/* Appends the whole file. 0, or -errno. */
int fs_read(const char *path, Buf *out);
/* Writes to a temporary name, syncs and renames: readers see the old or the new file whole.
 * 0, or -errno; on failure the old file is untouched. */
int fs_write_atomic(const char *path, const void *bytes, size_t count);
/* Removes the temporary files that it left beside path in processes of this host that are gone. */
void fs_drop_leftovers(const char *path);
int fs_mkdirs(const char *path, unsigned mode); /* with parents; 0, or -errno */
bool fs_exists(const char *path);

/* Folder that belongs to this user for cached results: $GPUKIT_CACHE, else
 * $XDG_CACHE_HOME/gpukit, else ~/.cache/gpukit. Made with mode 0700; its owner is checked.
 * NULL when no safe folder can be had. malloc'd. */
char *fs_cache_dir(const char *below);
/* User data that must be kept (catalogue refreshes): $XDG_DATA_HOME/gpukit or
 * ~/.local/share/gpukit. malloc'd, NULL when it cannot be made. */
char *fs_data_dir(const char *below);

/* The program or library that holds this code. malloc'd; NULL when it cannot be told. */
char *fs_own_image(void);
/* Path of a file that ships with gpukit, in the build tree or the installed one:
 * fs_resource("cuda/include"). malloc'd; NULL when it is not there. */
char *fs_resource(const char *name);
/* First NAME on PATH that can be executed. malloc'd or NULL. */
char *fs_which(const char *name);

#endif
