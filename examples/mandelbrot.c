/* SPDX-License-Identifier: Apache-2.0
 * SPDX-FileCopyrightText: The Quern authors
 * Computes the Mandelbrot set on the first device and writes it as a PNG: mandelbrot [file.png] */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

enum { WIDTH = 1024, HEIGHT = 768 };

/* One work-item per pixel. Four samples per pixel make smooth edges; the fraction of the last step, smooth colours. */
static const char *const source =
    "float3 colour(float2 c) {\n"
    "  float2 z = (float2)(0.0f);\n"
    "  for (int n = 0; n < 500; n++) {\n"
    "    z = (float2)(z.x * z.x - z.y * z.y, 2.0f * z.x * z.y) + c;\n"
    "    if (dot(z, z) > 256.0f) {\n"
    "      float smooth = (float)n + 4.0f - log2(log2(dot(z, z)));\n"
    "      return 0.5f + 0.5f * cos(2.9f + 0.18f * smooth + (float3)(0.0f, 0.6f, 1.0f));\n"
    "    }\n"
    "  }\n"
    "  return (float3)(0.0f);\n"
    "}\n"
    "\n"
    "kernel void mandelbrot(global uchar *pixels, float2 centre, float step) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), width = get_global_size(0), height = get_global_size(1);\n"
    "  float3 sum = (float3)(0.0f);\n"
    "  for (int s = 0; s < 4; s++) {\n"
    "    float2 at = (float2)(x - width / 2, height / 2 - y) + 0.5f * (float2)(s & 1, s >> 1);\n"
    "    sum += colour(centre + step * at);\n"
    "  }\n"
    "  vstore3(convert_uchar3_sat(sum * (255.0f / 4.0f)), y * width + x, pixels);\n"
    "}\n";

static void check(cl_int error, const char *what) {
  if (error == CL_SUCCESS) return;
  fprintf(stderr, "%s failed with error %d\n", what, (int)error);
  exit(EXIT_FAILURE);
}

/* Builds the program; when that fails, prints what the compiler said. */
static void build(cl_program program, cl_device_id device) {
  cl_int error = clBuildProgram(program, 1, &device, "-cl-fast-relaxed-math", NULL, NULL);
  if (error == CL_BUILD_PROGRAM_FAILURE) {
    static char log[1 << 16];
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log), log, NULL);
    fprintf(stderr, "%s\n", log);
  }
  check(error, "clBuildProgram");
}

static void write_png(const char *name, const void *pixels) {
  png_image image = {.version = PNG_IMAGE_VERSION, .width = WIDTH, .height = HEIGHT, .format = PNG_FORMAT_RGB};
  if (!png_image_write_to_file(&image, name, 0, pixels, 0, NULL)) {
    fprintf(stderr, "%s: %s\n", name, image.message);
    exit(EXIT_FAILURE);
  }
}

int main(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "mandelbrot.png";
  cl_int error;
  cl_platform_id platform;
  cl_device_id device;
  check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");

  /* A queue that measures how long its commands take. */
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &error);
  check(error, "clCreateCommandQueueWithProperties");

  const char *text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "clCreateProgramWithSource");
  build(program, device);
  cl_kernel kernel = clCreateKernel(program, "mandelbrot", &error);
  check(error, "clCreateKernel");
  const size_t size = 3 * WIDTH * HEIGHT;
  cl_mem pixels = clCreateBuffer(context, CL_MEM_WRITE_ONLY | CL_MEM_HOST_READ_ONLY, size, NULL, &error);
  check(error, "clCreateBuffer");

  const cl_float2 centre = {.s = {-0.65f, 0.0f}};
  const cl_float step = 3.2f / WIDTH;
  check(clSetKernelArg(kernel, 0, sizeof(pixels), &pixels), "clSetKernelArg");
  check(clSetKernelArg(kernel, 1, sizeof(centre), &centre), "clSetKernelArg");
  check(clSetKernelArg(kernel, 2, sizeof(step), &step), "clSetKernelArg");
  const size_t range[2] = {WIDTH, HEIGHT};
  cl_event done;
  check(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, 0, NULL, &done), "clEnqueueNDRangeKernel");

  /* Mapping gives a pointer to the buffer's memory, once the kernel before it in the queue has finished. */
  void *mapped = clEnqueueMapBuffer(queue, pixels, CL_TRUE, CL_MAP_READ, 0, size, 0, NULL, NULL, &error);
  check(error, "clEnqueueMapBuffer");
  write_png(name, mapped);
  check(clEnqueueUnmapMemObject(queue, pixels, mapped, 0, NULL, NULL), "clEnqueueUnmapMemObject");

  cl_ulong begin, end;
  check(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof(begin), &begin, NULL), "profiling");
  check(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL), "profiling");
  printf("%s: %d x %d pixels in %.1f ms\n", name, WIDTH, HEIGHT, (double)(end - begin) * 1e-6);

  clReleaseEvent(done);
  check(clFinish(queue), "clFinish");
  clReleaseMemObject(pixels);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  return EXIT_SUCCESS;
}
