// Axes: where round numbers are, and how wide pictures are.

// The width of a picture in its own units: so that letters are as large as those beside it.
export function span() {
    return innerWidth < 860 ? 400 : 640;
}

// About `count` round numbers that cover low..high; the first and the last are the ends of the axis.
export function ticks(low, high, count = 5) {
    if (!(high > low)) {
        const margin = Math.abs(low) > 0 ? Math.abs(low) / 10 : 1;
        low -= margin;
        high += margin;
    }
    const rough = (high - low) / count;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999);
    const first = Math.floor(low / step + 1e-9), last = Math.ceil(high / step - 1e-9);
    return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

// As short as the step between ticks allows.
export function tickText(value, step) {
    if (value !== 0 && (Math.abs(value) >= 1e6 || Math.abs(step) < 1e-5))
        return Number(value.toPrecision(6)).toExponential().replace("e+", "e");
    const digits = Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
    const text = value.toFixed(digits + (step * 10 ** digits % 1 > 1e-6 ? 1 : 0));
    return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

// The least and the largest of some lists, without gaps.
export function extent(lists) {
    let low = Infinity, high = -Infinity;
    for (const list of lists)
        for (const value of list)
            if (Number.isFinite(value)) {
                low = Math.min(low, value);
                high = Math.max(high, value);
            }
    return low <= high ? [low, high] : [0, 1];
}
