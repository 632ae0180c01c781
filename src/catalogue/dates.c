/* SPDX-License-Identifier: Apache-2.0
 * Calendar days of the proleptic Gregorian calendar. */
#include "catalogue/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int days_from_civil(int year, int month, int day)
{
    year -= month <= 2;
    int era = (year >= 0 ? year : year - 399) / 400;
    int of_era = year - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int catalogue_day(const char *date)
{
    int year, month = 1, day = 1, used = 0;
    int got =
        date ? sscanf(date, "%4d%n-%2d%n-%2d%n", &year, &used, &month, &used, &day, &used) : 0;
    if (got < 1 || year < 1990 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31)
        return INT_MIN;
    if (date[used] && date[used] != 'T' && date[used] != ' ')
        return INT_MIN;
    return days_from_civil(year, month, day);
}

int catalogue_today(void)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    long long now = epoch && *epoch ? atoll(epoch) : (long long)time(NULL);
    return (int)(now / 86400);
}

void catalogue_date(int day, char out[11])
{
    time_t seconds = (time_t)day * 86400;
    struct tm civil;
    if (!gmtime_r(&seconds, &civil) || strftime(out, 11, "%Y-%m-%d", &civil) == 0)
        out[0] = 0;
}
