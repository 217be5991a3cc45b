// A GUM program in C++.
#include <gum.h>

#include <cstdint>
#include <cstdio>

static GumType type;

static void fib(const void *argument, void *result)
{
    std::int64_t n = *static_cast<const std::int64_t *>(argument), other = n, here = 0;
    if (n > 1) {
        std::int64_t less = n - 1;
        GumFuture f = gum_par(type, &less);
        less = n - 2;
        gum_seq(type, &less, &here);
        gum_take(f, &other);
    }
    *static_cast<std::int64_t *>(result) = here + other;
}

int main(int argc, char **argv)
{
    std::int64_t n = 15, result = 0;
    gum_init(&argc, &argv);
    GumTask task = {"fib", fib, {sizeof n, nullptr, nullptr, nullptr}, {sizeof result, nullptr, nullptr, nullptr}};
    type = gum_type(&task);
    if (gum_run(type, &n, &result) == GUM_OK && gum_pid() == 0)
        std::printf("C++: %lld\n", static_cast<long long>(result));
    return gum_end();
}
