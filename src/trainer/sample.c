/* SPDX-License-Identifier: Apache-2.0
 * Cartoon faces. A picture is a list of shapes painted over each other, each pixel sampled four
 * times. Cats have pointed ears, slit eyes and whiskers; dogs have hanging ears, a long snout and a
 * tongue; colours, sizes, tilt and place are drawn for both from the same ranges. */
#include "trainer/sample.h"
#include "base/arena.h"
#include "base/fs.h"
#include "trainer/augment.h"
#include "trainer/image.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    uint64_t seed;
    uint32_t number, next;
} Dice;

static double roll(Dice *dice, double low, double high)
{
    double u = aug_draw(dice->seed, 0x5000000u + dice->number, dice->next++) / 4294967296.0;
    return low + (high - low) * u;
}

typedef struct {
    double r, g, b;
} Colour;

typedef enum { ELLIPSE, TRIANGLE, LINE } ShapeKind;

typedef struct {
    ShapeKind kind;
    double x[3], y[3]; /* ellipse: centre, radii, (turn); triangle: corners; line: ends, (width) */
    Colour colour;
} Shape;

typedef struct {
    Shape shape[48];
    int count;
    double turn, scale, left, top; /* face units to picture: tilt, size, place */
} Face;

static void add(Face *face, ShapeKind kind, Colour colour, double x0, double y0, double x1,
                double y1, double x2, double y2)
{
    if (face->count < 48)
        face->shape[face->count++] = (Shape){kind, {x0, x1, x2}, {y0, y1, y2}, colour};
}

static void ellipse(Face *face, Colour c, double x, double y, double rx, double ry, double turn)
{
    add(face, ELLIPSE, c, x, y, rx, ry, turn, 0);
}

static double side_of(const Shape *s, int i, int j, double x, double y)
{
    return (s->x[j] - s->x[i]) * (y - s->y[i]) - (s->y[j] - s->y[i]) * (x - s->x[i]);
}

static int covers(const Shape *s, double x, double y)
{
    if (s->kind == ELLIPSE) {
        double dx = x - s->x[0], dy = y - s->y[0], c = cos(s->x[2]), n = sin(s->x[2]);
        double a = (dx * c + dy * n) / s->x[1], b = (dy * c - dx * n) / s->y[1];
        return a * a + b * b < 1;
    }
    if (s->kind == TRIANGLE) {
        double a = side_of(s, 0, 1, x, y), b = side_of(s, 1, 2, x, y), c = side_of(s, 2, 0, x, y);
        return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
    }
    double vx = s->x[1] - s->x[0], vy = s->y[1] - s->y[0];
    double t = ((x - s->x[0]) * vx + (y - s->y[0]) * vy) / (vx * vx + vy * vy);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypot(x - s->x[0] - t * vx, y - s->y[0] - t * vy) < s->x[2];
}

static Colour shade(Colour c, double f)
{
    return (Colour){c.r * f, c.g * f, c.b * f};
}

static Colour fur_colour(Dice *d)
{
    static const Colour furs[] = {{205, 133, 63},  {120, 110, 105}, {60, 55, 60},
                                  {235, 220, 195}, {150, 90, 50},   {200, 200, 205}};
    Colour c = furs[(int)roll(d, 0, 5.999)];
    return shade(c, roll(d, 0.85, 1.15));
}

static void draw_cat(Face *f, Dice *d, Colour fur)
{
    double ear = roll(d, 0.55, 0.8), wide = roll(d, 0.85, 1);
    Colour inner = {225, 150, 150}, eye = {roll(d, 60, 200), roll(d, 140, 220), 60},
           black = {20, 20, 20};
    for (int s = -1; s <= 1; s += 2) {
        add(f, TRIANGLE, fur, s * 0.85 * wide, -0.25, s * 0.2, -0.75, s * 0.85, -0.7 - ear);
        add(f, TRIANGLE, inner, s * 0.72 * wide, -0.45, s * 0.38, -0.72, s * 0.75, -0.5 - ear);
    }
    ellipse(f, fur, 0, 0, wide, 0.85, 0);
    for (int k = -1; k <= 1 && roll(d, 0, 1) < 0.8; ++k)
        add(f, LINE, shade(fur, 0.6), k * 0.18, -0.75, k * 0.14, -0.45, 0.045, 0);
    for (int s = -1; s <= 1; s += 2) {
        ellipse(f, eye, s * 0.4, -0.1, 0.2, 0.17, 0);
        ellipse(f, black, s * 0.4, -0.1, 0.05, 0.16, 0);
        for (int k = -1; k <= 1; ++k)
            add(f, LINE, (Colour){245, 245, 245}, s * 0.25, 0.33 + 0.05 * k, s * 1.15,
                0.3 + 0.2 * k, 0.018, 0);
    }
    add(f, TRIANGLE, (Colour){220, 120, 130}, -0.11, 0.2, 0.11, 0.2, 0, 0.33);
    add(f, LINE, black, 0, 0.33, -0.16, 0.47, 0.02, 0);
    add(f, LINE, black, 0, 0.33, 0.16, 0.47, 0.02, 0);
}

static void draw_dog(Face *f, Dice *d, Colour fur)
{
    double drop = roll(d, 0.1, 0.35), tilt = roll(d, 0.05, 0.35), wide = roll(d, 0.75, 0.9);
    Colour ear = shade(fur, roll(d, 0.55, 0.75)), black = {20, 20, 20}, snout = shade(fur, 1.18);
    ellipse(f, fur, 0, 0, wide, 0.9, 0);
    for (int s = -1; s <= 1; s += 2) {
        ellipse(f, ear, s * (wide + 0.08), drop - 0.1, 0.26, 0.65, -s * tilt);
        ellipse(f, (Colour){245, 245, 240}, s * 0.34, -0.22, 0.15, 0.15, 0);
        ellipse(f, (Colour){70, 40, 20}, s * 0.34, -0.2, 0.1, 0.11, 0);
    }
    if (roll(d, 0, 1) < 0.7)
        ellipse(f, (Colour){225, 90, 110}, 0, 0.78, 0.16, 0.28, 0);
    ellipse(f, snout, 0, 0.4, 0.46, 0.38, 0);
    ellipse(f, black, 0, 0.2, 0.2, 0.14, 0);
    add(f, LINE, black, 0, 0.3, 0, 0.52, 0.025, 0);
    add(f, LINE, black, -0.2, 0.56, 0, 0.52, 0.025, 0);
    add(f, LINE, black, 0.2, 0.56, 0, 0.52, 0.025, 0);
}

/* Colour at a point of the picture, 0..1 across. */
static Colour at(const Face *f, double u, double v, Colour low, Colour high)
{
    double dx = (u - f->left) / f->scale, dy = (v - f->top) / f->scale;
    double x = dx * cos(f->turn) + dy * sin(f->turn), y = dy * cos(f->turn) - dx * sin(f->turn);
    for (int i = f->count - 1; i >= 0; --i)
        if (covers(&f->shape[i], x, y))
            return f->shape[i].colour;
    return (Colour){low.r + (high.r - low.r) * v, low.g + (high.g - low.g) * v,
                    low.b + (high.b - low.b) * v};
}

static uint8_t level(double v)
{
    return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v + 0.5);
}

void sample_draw(int dog, uint64_t seed, uint32_t number, int side, uint8_t *rgb)
{
    Dice d = {seed, number * 2 + (uint32_t)dog, 0};
    Face f = {.turn = roll(&d, -0.3, 0.3),
              .scale = roll(&d, 0.24, 0.34),
              .left = roll(&d, 0.42, 0.58),
              .top = roll(&d, 0.48, 0.6)};
    Colour low = {roll(&d, 60, 230), roll(&d, 60, 230), roll(&d, 60, 230)};
    Colour high = {roll(&d, 60, 230), roll(&d, 60, 230), roll(&d, 60, 230)};
    Colour fur = fur_colour(&d);
    if (dog)
        draw_dog(&f, &d, fur);
    else
        draw_cat(&f, &d, fur);
    double noise = roll(&d, 4, 16);
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) {
            Colour sum = {0, 0, 0};
            for (int k = 0; k < 4; ++k) {
                Colour c = at(&f, (x + 0.25 + 0.5 * (k & 1)) / side,
                              (y + 0.25 + 0.5 * (k >> 1)) / side, low, high);
                sum.r += c.r / 4, sum.g += c.g / 4, sum.b += c.b / 4;
            }
            uint8_t *p = rgb + 3 * (y * side + x);
            double grain = roll(&d, -noise, noise);
            p[0] = level(sum.r + grain);
            p[1] = level(sum.g + grain);
            p[2] = level(sum.b + grain);
        }
}

int sample_write(const char *dir, int count, uint64_t seed, char **where)
{
    enum { SIDE = 128 };
    static const char *const names[2] = {"cat", "dog"};
    uint8_t *rgb = xmalloc((size_t)SIDE * SIDE * 3);
    int error = 0;
    for (int i = 0; i < count && !error; ++i) {
        int dog = i % 2;
        char *folder = xasprintf("%s/%s", dir, names[dog]);
        *where = i < 2 ? folder : NULL;
        error = i < 2 ? fs_mkdirs(folder, 0777) : 0;
        if (!error) {
            size_t bytes;
            sample_draw(dog, seed, (uint32_t)(i / 2), SIDE, rgb);
            uint8_t *jpeg = image_encode_jpeg(rgb, SIDE, SIDE, 90, &bytes);
            char *path = xasprintf("%s/%s.%04d.jpg", folder, names[dog], i / 2 + 1);
            error = fs_write_atomic(path, jpeg, bytes);
            free(jpeg);
            if (error) {
                free(folder);
                *where = folder = path;
            } else {
                free(path);
            }
        }
        if (!error)
            free(folder);
    }
    free(rgb);
    if (!error)
        *where = NULL;
    else if (!*where)
        *where = xstrdup(dir);
    return error;
}
