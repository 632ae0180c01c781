/* SPDX-License-Identifier: Apache-2.0
 *
 * A small 3-D renderer, since pictures are what GPUs were made for. The pipeline is the one inside
 * every graphics card: transform vertices, rasterise triangles into a depth buffer, shade pixels.
 *
 *   vertices      one thread per vertex: rotate, project, to fixed-point screen coordinates
 *   rasterise     one thread per triangle: edge functions in whole numbers, atomicMin of
 *                 (depth << 32 | triangle) per pixel, so the order of triangles does not matter
 *   shade         one thread per pixel: interpolated normal, two lights, a highlight
 *
 * Draws a torus knot, or the triangles of an OBJ file. Every stage has one body for processor and
 * GPU, with fused operations written out, so the picture must equal plain C's byte for byte.
 * usage: render [WIDTH [HEIGHT [FILE.png [MESH.obj]]]] */
#include "example.h"
#include "png.h"

#include <math.h>
#include <string.h>

typedef struct {
    float x, y, z;
} Vec3;

typedef struct {
    int x, y;    /* pixels times 16 */
    float depth; /* 0 near to 1 far */
} Screen;

typedef struct {
    int v[3];
} Triangle;

typedef struct {
    int width, height, vertices, triangles;
    float scale;          /* pixels per unit at distance 1 */
    Vec3 right, up, back; /* rows of the camera's rotation */
    float distance;
} Scene;

typedef unsigned long long DepthId;
#define EMPTY (~0ull)

__host__ __device__ inline float dot(Vec3 a, Vec3 b)
{
    return fmaf(a.x, b.x, fmaf(a.y, b.y, a.z * b.z));
}

__host__ __device__ inline Vec3 normalise(Vec3 a)
{
    float length = sqrtf(dot(a, a)), inverse = length > 0 ? 1.0f / length : 0.0f;
    Vec3 unit = {a.x * inverse, a.y * inverse, a.z * inverse};
    return unit;
}

__host__ __device__ inline Screen project(const Scene *scene, Vec3 p)
{
    float x = dot(scene->right, p), y = dot(scene->up, p);
    float away = scene->distance - dot(scene->back, p);
    float zoom = scene->scale / away;
    Screen s;
    s.x = (int)floorf(fmaf(x, zoom * 16.0f, scene->width * 8.0f));
    s.y = (int)floorf(fmaf(y, zoom * -16.0f, scene->height * 8.0f));
    s.depth = (away - (scene->distance - 2.0f)) * 0.25f;
    return s;
}

/* Twice the signed area of (a, b, p); 64 bits, since coordinates reach 2^20. */
__host__ __device__ inline long long edge(Screen a, Screen b, int px, int py)
{
    return (long long)(b.x - a.x) * (py - a.y) - (long long)(b.y - a.y) * (px - a.x);
}

/* Shares of the three corners at a pixel; 0 when the pixel's centre is outside or it is a back face. */
__host__ __device__ inline int corners(const Screen *s, int x, int y, float *share)
{
    int px = x * 16 + 8, py = y * 16 + 8;
    long long area = edge(s[0], s[1], s[2].x, s[2].y);
    long long w0 = edge(s[1], s[2], px, py), w1 = edge(s[2], s[0], px, py);
    long long w2 = edge(s[0], s[1], px, py);
    if (area >= 0 || w0 > 0 || w1 > 0 || w2 > 0)
        return 0;
    share[0] = (float)w0 / (float)area;
    share[1] = (float)w1 / (float)area;
    share[2] = (float)w2 / (float)area;
    return 1;
}

__host__ __device__ inline int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

__host__ __device__ inline void bounds(const Scene *scene, const Screen *s, int box[4])
{
    int x0 = s[0].x, x1 = x0, y0 = s[0].y, y1 = y0;
    for (int i = 1; i < 3; ++i) {
        x0 = s[i].x < x0 ? s[i].x : x0;
        x1 = s[i].x > x1 ? s[i].x : x1;
        y0 = s[i].y < y0 ? s[i].y : y0;
        y1 = s[i].y > y1 ? s[i].y : y1;
    }
    box[0] = clamp(x0 >> 4, 0, scene->width);
    box[1] = clamp((x1 >> 4) + 1, 0, scene->width);
    box[2] = clamp(y0 >> 4, 0, scene->height);
    box[3] = clamp((y1 >> 4) + 1, 0, scene->height);
}

/* 0 when the pixel is not covered, else 1 and what the depth buffer compares. */
__host__ __device__ inline int sample(const Screen *s, int triangle, int x, int y, DepthId *id)
{
    float share[3];
    if (!corners(s, x, y, share))
        return 0;
    float depth = fmaf(share[0], s[0].depth, fmaf(share[1], s[1].depth, share[2] * s[2].depth));
    if (!(depth >= 0.0f && depth < 1.0f))
        return 0;
    *id = (DepthId)(depth * 4294967040.0f) << 32 | (unsigned)triangle;
    return 1;
}

__host__ __device__ inline float power32(float x)
{
    for (int i = 0; i < 5; ++i)
        x *= x;
    return x;
}

__host__ __device__ inline unsigned char to_byte(float value)
{
    return (unsigned char)(fminf(fmaxf(value, 0.0f), 1.0f) * 255.0f);
}

__host__ __device__ inline void shade_pixel(const Scene *scene, const Triangle *mesh,
                                            const Vec3 *normal, const Screen *screen, DepthId id,
                                            int x, int y, unsigned char *rgb)
{
    if (id == EMPTY) { /* a sky that darkens downwards */
        float t = (float)y / (float)scene->height;
        rgb[0] = to_byte(fmaf(t, -0.10f, 0.16f));
        rgb[1] = to_byte(fmaf(t, -0.12f, 0.20f));
        rgb[2] = to_byte(fmaf(t, -0.16f, 0.30f));
        return;
    }
    Triangle t = mesh[(unsigned)id];
    Screen s[3] = {screen[t.v[0]], screen[t.v[1]], screen[t.v[2]]};
    float share[3];
    corners(s, x, y, share);
    Vec3 n = {0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        Vec3 corner = normal[t.v[i]];
        n.x = fmaf(share[i], corner.x, n.x);
        n.y = fmaf(share[i], corner.y, n.y);
        n.z = fmaf(share[i], corner.z, n.z);
    }
    n = normalise(n);
    /* Lights move with the camera: a warm one at the upper left, a cold one from the right. */
    Vec3 seen = {dot(scene->right, n), dot(scene->up, n), dot(scene->back, n)};
    Vec3 warm = {-0.48f, 0.64f, 0.60f}, cold = {0.80f, 0.0f, 0.60f};
    Vec3 half = {-0.2683f, 0.3578f, 0.8944f}; /* between the warm light and the eye */
    float a = fmaxf(dot(seen, warm), 0.0f), b = fmaxf(dot(seen, cold), 0.0f);
    float shine = power32(fmaxf(dot(seen, half), 0.0f)) * 0.6f;
    rgb[0] = to_byte(fmaf(a, 0.85f, fmaf(b, 0.08f, shine + 0.05f)));
    rgb[1] = to_byte(fmaf(a, 0.50f, fmaf(b, 0.16f, shine + 0.05f)));
    rgb[2] = to_byte(fmaf(a, 0.20f, fmaf(b, 0.40f, shine + 0.08f)));
}

__global__ void vertices(Scene scene, const Vec3 *position, Screen *screen)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < scene.vertices)
        screen[i] = project(&scene, position[i]);
}

__global__ void rasterise(Scene scene, const Triangle *mesh, const Screen *screen, DepthId *buffer)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= scene.triangles)
        return;
    Screen s[3] = {screen[mesh[i].v[0]], screen[mesh[i].v[1]], screen[mesh[i].v[2]]};
    int box[4];
    bounds(&scene, s, box);
    for (int y = box[2]; y < box[3]; ++y)
        for (int x = box[0]; x < box[1]; ++x) {
            DepthId id;
            if (sample(s, i, x, y, &id))
                atomicMin(&buffer[(size_t)y * scene.width + x], id);
        }
}

__global__ void shade(Scene scene, const Triangle *mesh, const Vec3 *normal, const Screen *screen,
                      const DepthId *buffer, unsigned char *rgb)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= scene.width || y >= scene.height)
        return;
    size_t at = (size_t)y * scene.width + x;
    shade_pixel(&scene, mesh, normal, screen, buffer[at], x, y, rgb + at * 3);
}

static void render_plain(const Scene *scene, const Vec3 *position, const Vec3 *normal,
                         const Triangle *mesh, unsigned char *rgb)
{
    size_t pixels = (size_t)scene->width * scene->height;
    Screen *screen = (Screen *)host_alloc(scene->vertices, sizeof *screen);
    DepthId *buffer = (DepthId *)host_alloc(pixels, sizeof *buffer);
    memset(buffer, 0xff, pixels * sizeof *buffer);
    for (int i = 0; i < scene->vertices; ++i)
        screen[i] = project(scene, position[i]);
    for (int i = 0; i < scene->triangles; ++i) {
        Screen s[3] = {screen[mesh[i].v[0]], screen[mesh[i].v[1]], screen[mesh[i].v[2]]};
        int box[4];
        bounds(scene, s, box);
        for (int y = box[2]; y < box[3]; ++y)
            for (int x = box[0]; x < box[1]; ++x) {
                DepthId id, *at = &buffer[(size_t)y * scene->width + x];
                if (sample(s, i, x, y, &id) && id < *at)
                    *at = id;
            }
    }
    for (int y = 0; y < scene->height; ++y)
        for (int x = 0; x < scene->width; ++x) {
            size_t at = (size_t)y * scene->width + x;
            shade_pixel(scene, mesh, normal, screen, buffer[at], x, y, rgb + at * 3);
        }
    free(screen);
    free(buffer);
}

static void render_device(const Scene *scene, const Vec3 *position, const Vec3 *normal,
                          const Triangle *mesh, unsigned char *rgb)
{
    size_t pixels = (size_t)scene->width * scene->height;
    size_t vector_bytes = scene->vertices * sizeof(Vec3);
    Vec3 *dposition, *dnormal;
    Triangle *dmesh;
    Screen *screen;
    DepthId *buffer;
    unsigned char *drgb;
    CHECK(cudaMalloc(&dposition, vector_bytes));
    CHECK(cudaMalloc(&dnormal, vector_bytes));
    CHECK(cudaMalloc(&dmesh, scene->triangles * sizeof *mesh));
    CHECK(cudaMalloc(&screen, scene->vertices * sizeof *screen));
    CHECK(cudaMalloc(&buffer, pixels * sizeof *buffer));
    CHECK(cudaMalloc(&drgb, pixels * 3));
    CHECK(cudaMemcpy(dposition, position, vector_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dnormal, normal, vector_bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dmesh, mesh, scene->triangles * sizeof *mesh, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(buffer, 0xff, pixels * sizeof *buffer));
    CHECK(cudaMemset(drgb, 0, pixels * 3));

    vertices<<<blocks_for(scene->vertices, 128), 128>>>(*scene, dposition, screen);
    rasterise<<<blocks_for(scene->triangles, 128), 128>>>(*scene, dmesh, screen, buffer);
    dim3 block(32, 4), grid(blocks_for(scene->width, 32), blocks_for(scene->height, 4));
    shade<<<grid, block>>>(*scene, dmesh, dnormal, screen, buffer, drgb);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(rgb, drgb, pixels * 3, cudaMemcpyDeviceToHost));

    CHECK(cudaFree(dposition));
    CHECK(cudaFree(dnormal));
    CHECK(cudaFree(dmesh));
    CHECK(cudaFree(screen));
    CHECK(cudaFree(buffer));
    CHECK(cudaFree(drgb));
}

static Vec3 knot_at(double t) /* a (2, 3) torus knot */
{
    double r = 0.62 + 0.27 * cos(3 * t);
    Vec3 p = {(float)(r * cos(2 * t)), (float)(r * sin(2 * t)), (float)(0.27 * -sin(3 * t))};
    return p;
}

static Vec3 cross(Vec3 a, Vec3 b)
{
    Vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static Vec3 minus(Vec3 a, Vec3 b)
{
    Vec3 c = {a.x - b.x, a.y - b.y, a.z - b.z};
    return c;
}

static void make_knot(Scene *scene, Vec3 **position, Triangle **mesh)
{
    enum { ALONG = 256, AROUND = 24 };
    const double turn = 6.283185307179586;
    scene->vertices = ALONG * AROUND;
    scene->triangles = 2 * scene->vertices;
    *position = (Vec3 *)host_alloc(scene->vertices, sizeof **position);
    *mesh = (Triangle *)host_alloc(scene->triangles, sizeof **mesh);
    for (int i = 0; i < ALONG; ++i) {
        double t = turn * i / ALONG;
        Vec3 middle = knot_at(t), ahead = normalise(minus(knot_at(t + 0.01), middle));
        Vec3 core = {(float)(0.62 * cos(2 * t)), (float)(0.62 * sin(2 * t)), 0.0f};
        Vec3 side = normalise(cross(ahead, minus(middle, core))), out = cross(side, ahead);
        for (int j = 0; j < AROUND; ++j) {
            float c = (float)(0.125 * cos(turn * j / AROUND)), s = (float)(0.125 * sin(turn * j / AROUND));
            Vec3 *p = *position + i * AROUND + j;
            p->x = middle.x + c * out.x + s * side.x;
            p->y = middle.y + c * out.y + s * side.y;
            p->z = middle.z + c * out.z + s * side.z;
            int a = i * AROUND + j, b = i * AROUND + (j + 1) % AROUND;
            int e = (i + 1) % ALONG * AROUND + j, f = (i + 1) % ALONG * AROUND + (j + 1) % AROUND;
            Triangle first = {{a, e, b}}, second = {{b, e, f}};
            (*mesh)[2 * a] = first;
            (*mesh)[2 * a + 1] = second;
        }
    }
}

/* Vertices and faces of an OBJ file; polygons become fans. Moved and scaled to fit the view. */
static int read_obj(const char *path, Scene *scene, Vec3 **position, Triangle **mesh)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int vertex_room = 0, triangle_room = 0, number = 0;
    if (!file) {
        perror(path);
        return 0;
    }
    while (fgets(line, sizeof line, file)) {
        ++number;
        if (line[0] == 'v' && line[1] == ' ') {
            if (scene->vertices == vertex_room) {
                vertex_room = vertex_room ? 2 * vertex_room : 1024;
                *position = (Vec3 *)realloc(*position, vertex_room * sizeof **position);
            }
            Vec3 *p = *position + scene->vertices++;
            if (sscanf(line + 2, "%f %f %f", &p->x, &p->y, &p->z) != 3) {
                fprintf(stderr, "%s:%d: expected three coordinates\n", path, number);
                fclose(file);
                return 0;
            }
        } else if (line[0] == 'f' && line[1] == ' ') {
            int corner[3], count = 0;
            char *rest;
            for (char *word = strtok_r(line + 2, " \t\r\n", &rest); word;
                 word = strtok_r(NULL, " \t\r\n", &rest)) {
                int v = atoi(word);
                v = v < 0 ? scene->vertices + v : v - 1;
                if (v < 0 || v >= scene->vertices) {
                    fprintf(stderr, "%s:%d: no vertex '%s'\n", path, number, word);
                    fclose(file);
                    return 0;
                }
                corner[count < 2 ? count : 2] = v;
                if (++count < 3)
                    continue;
                if (scene->triangles == triangle_room) {
                    triangle_room = triangle_room ? 2 * triangle_room : 1024;
                    *mesh = (Triangle *)realloc(*mesh, triangle_room * sizeof **mesh);
                }
                Triangle t = {{corner[0], corner[1], corner[2]}};
                (*mesh)[scene->triangles++] = t;
                corner[1] = corner[2];
            }
        }
    }
    fclose(file);
    if (scene->triangles == 0) {
        fprintf(stderr, "%s: no triangles\n", path);
        return 0;
    }
    Vec3 low = **position, high = low;
    for (int i = 1; i < scene->vertices; ++i) {
        Vec3 p = (*position)[i];
        low.x = fminf(low.x, p.x), low.y = fminf(low.y, p.y), low.z = fminf(low.z, p.z);
        high.x = fmaxf(high.x, p.x), high.y = fmaxf(high.y, p.y), high.z = fmaxf(high.z, p.z);
    }
    Vec3 size = minus(high, low);
    float fit = 2.0f / sqrtf(size.x * size.x + size.y * size.y + size.z * size.z);
    for (int i = 0; i < scene->vertices; ++i) {
        Vec3 *p = *position + i;
        p->x = (p->x - (low.x + high.x) / 2) * fit;
        p->y = (p->y - (low.y + high.y) / 2) * fit;
        p->z = (p->z - (low.z + high.z) / 2) * fit;
    }
    return 1;
}

/* A vertex's normal: the sum of its triangles', each as long as the triangle is large. */
static Vec3 *make_normals(const Scene *scene, const Vec3 *position, const Triangle *mesh)
{
    Vec3 *normal = (Vec3 *)host_alloc(scene->vertices, sizeof *normal);
    for (int i = 0; i < scene->triangles; ++i) {
        const int *v = mesh[i].v;
        Vec3 n = cross(minus(position[v[1]], position[v[0]]), minus(position[v[2]], position[v[0]]));
        for (int j = 0; j < 3; ++j) {
            normal[v[j]].x += n.x;
            normal[v[j]].y += n.y;
            normal[v[j]].z += n.z;
        }
    }
    for (int i = 0; i < scene->vertices; ++i)
        normal[i] = normalise(normal[i]);
    return normal;
}

int main(int argc, char **argv)
{
    Scene scene;
    memset(&scene, 0, sizeof scene);
    scene.width = argument(argc, argv, 1, 640);
    scene.height = argument(argc, argv, 2, 480);
    if (scene.width > 16384 || scene.height > 16384) {
        fprintf(stderr, "render: at most 16384 x 16384 pixels\n");
        return 2;
    }
    const char *file = argc > 3 ? argv[3] : "render.png";
    scene.distance = 4.0f;
    scene.scale = 1.65f * (scene.width < scene.height ? scene.width : scene.height);
    Vec3 right = {0.9f, 0.0f, 0.43588989f}, back = {-0.35f, 0.6f, 0.72f};
    scene.back = normalise(back);
    scene.up = normalise(cross(scene.back, normalise(right)));
    scene.right = cross(scene.up, scene.back);

    Vec3 *position = NULL;
    Triangle *mesh = NULL;
    if (argc <= 4)
        make_knot(&scene, &position, &mesh);
    else if (!read_obj(argv[4], &scene, &position, &mesh))
        return 2;
    Vec3 *normal = make_normals(&scene, position, mesh);

    size_t bytes = (size_t)scene.width * scene.height * 3;
    unsigned char *rgb = (unsigned char *)host_alloc(bytes, 1);
    unsigned char *plain = (unsigned char *)host_alloc(bytes, 1);
    render_device(&scene, position, normal, mesh, rgb);
    render_plain(&scene, position, normal, mesh, plain);
    int wrong = 0;
    for (size_t i = 0; i < bytes; ++i)
        wrong += rgb[i] != plain[i];
    printf("render: %d triangles, %d x %d pixels, %d of %zu bytes differ from plain C\n",
           scene.triangles, scene.width, scene.height, wrong, bytes);
    if (!png_write(file, rgb, scene.width, scene.height))
        return 1;
    printf("render: wrote %s\n", file);
    free(position);
    free(mesh);
    free(normal);
    free(rgb);
    free(plain);
    return wrong ? 1 : 0;
}
