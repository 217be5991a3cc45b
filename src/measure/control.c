/* Adjusts observations by control variates. */
#include "measure/control.h"

#include <math.h>
#include <string.h>

#define LEAST_PIVOT 1e-9 /* of 1: a control that is nearly a combination of others is left out */
/* So is one whose squares are those of a few events, or mostly those of a few parts: of what seldom
 * happens, the next one would be worth more than all that the coefficient was found from.  Where no
 * event was seen, the control is what was expected of them, with the wrong sign, and not 0 in the mean of
 * what there is.  The same is true of what others do not explain of a control. */
#define FEWEST        50.0   /* events or parts, as it were */
#define FEWEST_OF_ALL 0.0625 /* or this share of all, if that is less */

bool control_new(Control *out, int32_t most, int32_t functionals, int32_t controls)
{
    const size_t row = (size_t)controls * ((size_t)controls + (size_t)functionals);
    *out = (Control){.functionals = functionals, .controls = controls, .most = most};
    if (mem_new_zeroed(out->product, row * ((size_t)most + 1)) &&
        mem_new_zeroed(out->largest, (size_t)controls * (size_t)most) &&
        mem_new_zeroed(out->parts, most + 1) && mem_new(out->mean, controls + functionals) &&
        mem_new(out->factor, (size_t)controls * (size_t)controls) &&
        mem_new(out->scale, controls) && mem_new(out->foretold, controls) &&
        mem_new(out->seldom, controls))
        return true;
    control_free(out);
    return false;
}

void control_free(Control *c)
{
    mem_free_all(c->product, c->largest, c->parts, c->mean, c->factor, c->scale, c->foretold,
                 c->seldom);
    *c = (Control){0};
}

static double *products_of(const Control *c, int32_t k)
{
    return c->product + (ptrdiff_t)k * c->controls * (c->controls + c->functionals);
}

void control_see(Control *c, int32_t k, const double *part, int32_t parts, int32_t stride)
{
    const int32_t all = c->functionals + c->controls;
    double *to = products_of(c, k), *largest = c->largest + (ptrdiff_t)k * c->controls;
    memset(to, 0, (size_t)c->controls * (size_t)all * sizeof *to);
    memset(c->mean, 0, (size_t)all * sizeof *c->mean);
    memset(largest, 0, (size_t)c->controls * sizeof *largest);
    c->parts[k] = parts;
    for (int32_t p = 0; p < parts; p++)
        for (int32_t i = 0; i < all; i++)
            c->mean[i] += part[(ptrdiff_t)p * stride + i] / parts;
    for (int32_t p = 0; p < parts; p++) {
        const double *at = part + (ptrdiff_t)p * stride;
        for (int32_t j = 0; j < c->controls; j++) {
            const double off = at[c->functionals + j] - c->mean[c->functionals + j];
            largest[j] = fmax(largest[j], off * off);
            for (int32_t i = 0; i < all && off != 0; i++)
                to[(ptrdiff_t)j * all + i] += off * (at[i] - c->mean[i]);
        }
    }
}

/* Products of all observations but `k`. */
static double of_others(const Control *c, int32_t k, int32_t control, int32_t with)
{
    const ptrdiff_t at = (ptrdiff_t)control * (c->controls + c->functionals) + with;
    return products_of(c, c->most)[at] - products_of(c, k)[at];
}

static double fewest(const Control *c)
{
    return fmin(FEWEST, FEWEST_OF_ALL * (double)c->parts[c->most]);
}

static bool is_seldom(const Control *c, int32_t count, int32_t control)
{
    const int32_t all = c->functionals + c->controls;
    const double square =
        products_of(c, c->most)[(ptrdiff_t)control * all + c->functionals + control];
    double largest = 0;
    for (int32_t k = 0; k < count; k++)
        largest = fmax(largest, c->largest[(ptrdiff_t)k * c->controls + control]);
    return !(largest * fewest(c) < square);
}

/* Cholesky factors of the products of the controls with each other, scaled to a unit diagonal; a
 * control that others explain has a row of zeros. */
static void factorise(Control *c, int32_t k)
{
    const int32_t n = c->controls;
    double *l = c->factor;
    for (int32_t i = 0; i < n; i++) {
        const double square = of_others(c, k, i, c->functionals + i);
        double pivot = 1;
        c->scale[i] = square > 0 && !c->seldom[i] ? 1 / sqrt(square) : 0;
        for (int32_t j = 0; j < i; j++) {
            double sum = of_others(c, k, i, c->functionals + j) * c->scale[i] * c->scale[j];
            for (int32_t m = 0; m < j; m++)
                sum -= l[i * n + m] * l[j * n + m];
            l[i * n + j] = l[j * n + j] > 0 ? sum / l[j * n + j] : 0;
            pivot -= l[i * n + j] * l[i * n + j];
        }
        const bool tells = c->scale[i] > 0 && pivot > LEAST_PIVOT && pivot * square > c->least;
        l[i * n + i] = tells ? sqrt(pivot) : 0;
    }
}

/* What the controls of an observation foretell for a functional is the product of two solutions with
 * the factors, L w = its controls and L v = the functional's products. */
static void solve(const Control *c, double *x)
{
    const int32_t n = c->controls;
    for (int32_t i = 0; i < n; i++) {
        double sum = x[i] * c->scale[i];
        for (int32_t j = 0; j < i; j++)
            sum -= c->factor[i * n + j] * x[j];
        x[i] = c->factor[i * n + i] > 0 ? sum / c->factor[i * n + i] : 0;
    }
}

static void adjust(Control *c, int32_t k, double *observed)
{
    double *w = c->foretold, *v = c->mean;
    factorise(c, k);
    memcpy(w, observed + c->functionals, (size_t)c->controls * sizeof *w);
    solve(c, w);
    for (int32_t f = 0; f < c->functionals; f++) {
        for (int32_t j = 0; j < c->controls; j++)
            v[j] = of_others(c, k, j, f);
        solve(c, v);
        for (int32_t j = 0; j < c->controls; j++)
            observed[f] -= w[j] * v[j];
    }
}

void control_adjust(Control *c, double *observed, int32_t count, int32_t stride, double unit)
{
    const ptrdiff_t row = (ptrdiff_t)c->controls * (c->controls + c->functionals);
    double *sum = products_of(c, c->most);
    memset(sum, 0, (size_t)row * sizeof *sum);
    c->parts[c->most] = 0;
    for (int32_t k = 0; k < count; k++) {
        c->parts[c->most] += c->parts[k];
        for (ptrdiff_t i = 0; i < row; i++)
            sum[i] += products_of(c, k)[i];
    }
    c->least = fewest(c) * unit * unit;
    for (int32_t j = 0; j < c->controls; j++)
        c->seldom[j] = is_seldom(c, count, j);
    for (int32_t k = 0; k < count; k++)
        if (c->parts[k] > 0 && c->parts[c->most] - c->parts[k] >= 4 * (int64_t)c->controls)
            adjust(c, k, observed + (ptrdiff_t)k * stride);
}
