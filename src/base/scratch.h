/* SPDX-License-Identifier: Apache-2.0
 *
 * Folders for temporary files. A process holds a lock on each of its own; one whose process was
 * killed is removed when the next process makes a folder in the same place. */
#ifndef GPUKIT_BASE_SCRATCH_H
#define GPUKIT_BASE_SCRATCH_H

/* A new private folder in `base`, or with NULL in $TMPDIR, else /tmp. malloc'd; NULL with errno. */
char *scratch_new(const char *base);
void scratch_remove(char *path); /* with all that is in it; frees the path; NULL is nothing */

/* A folder and all that is in it. */
void folder_remove(const char *path);

#endif
