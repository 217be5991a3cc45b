// Where to run the stages of a pipeline: the ranking, and mappings on a picture of the grid.

import { el, shortNumber, table } from "./dom.js";
import { Editor } from "./editor.js";
import { given } from "./form.js";
import { gridPicture } from "./grid_picture.js";
import { failure, run } from "./run.js";

const FIRST = `pipeline   { stage 1; stage 2; stage 3; }
processors { 1 time 0.1; 2 time 0.1; 3 time 1; }          # seconds per item
network    { latency default 0.1; latency local 0.1ms; }  # per move
`;

// Names in a block of the description, to draw those that no mapping uses.
function namesOf(text, block, pattern) {
    const body = new RegExp(`\\b${block}\\s*\\{([^}]*)\\}`).exec(text.replace(/#.*/g, ""));
    return body ? [...body[1].matchAll(pattern)].map((m) => m[1]) : [];
}

function sharesOf(data, ranked) {
    const winner = data.explanation && data.explanation.winner;
    if (!winner || winner.mapping.join() !== ranked.mapping.join()) return new Map();
    return new Map(winner.resources.filter((r) => r.resource.startsWith("processor "))
        .map((r) => [r.resource.slice(10), r.share]));
}

// The PEPA model of a mapping, into the editor of models.
async function openModel(view, mapping) {
    const job = run({ command: "amoget", text: view.description.text, options: [["model", mapping.join(",")]] });
    const result = await job.done;
    const why = failure(result);
    if (why) view.say(why, "error");
    else view.model.open(`mapping-${mapping.join("-")}.pepa`, result.output);
}

function show(result, view) {
    const data = JSON.parse(result.output), text = view.description.text;
    const stages = namesOf(text, "pipeline", /\bstage\s+(\w+)/g);
    const names = namesOf(text, "processors", /(?:^|;)\s*(\w+)\s+[a-z]/g);
    const processors = [...new Set([...names, ...data.ranking.flatMap((r) => r.mapping)])];
    const numbered = Array.from({ length: data.stages }, (_, i) => stages[i] || String(i + 1));
    const place = el("div", { "aria-live": "polite" });
    const choose = (ranked) => {
        const picture = gridPicture(processors, ranked.mapping, numbered.map((s) => /^\d+$/.test(s) ? `stage ${s}` : s), sharesOf(data, ranked));
        place.replaceChildren(el("h3", {}, `(${ranked.mapping.join(", ")}): ${shortNumber(ranked.throughput)} items per second`), picture,
            el("button", { type: "button", onclick: () => openModel(view, ranked.mapping) }, "Open its PEPA model"));
        view.picture = picture;
    };
    choose(data.ranking[0]);
    const rows = data.ranking.map((r) => [r.rank + (r.tied ? "=" : ""),
        el("button", { type: "button", class: "link", onclick: () => choose(r) }, `(${r.mapping.join(", ")})`),
        r.throughput, r.throughput / data.ranking[0].throughput, r.bottleneck]);
    view.add(el("p", { class: data.optimal ? "good" : "warning" },
        `${data.candidates} mappings, ${data.solved} solved; ${data.optimal ? "the first is the best of all" : "the best may not be among these"}.`),
    place, table("Ranking", ["Rank", "Mapping", "Items per second", "Of the best", "Bottleneck"], rows));
    view.offerCsv("ranking", ["rank", "mapping", "throughput", "bottleneck"],
        data.ranking.map((r) => [r.rank, r.mapping.join(" "), r.throughput, r.bottleneck]));
    view.offer("grid.svg", () => view.saveSvg("grid.svg", view.picture));
    view.offer("grid.amo", () => view.saveText("grid.amo", text));
    view.offerJson("ranking", result.output);
}

export const mappingView = {
    id: "mapping", title: "Mapping", action: "Rank",
    about: "A pipeline, processors and a network, as amoget reads them: which stage should run where?",
    fields: [
        { name: "search", label: "Search", kind: "select", choices: [["", "by size"], ["listed"], ["all"], ["best"]] },
        { name: "top", label: "Show the best", value: "20" }
    ],
    made(view) {
        const place = el("div");
        view.form.prepend(place);
        view.description = new Editor(place, "Description of the grid", view.status.id, 8);
        view.description.text = FIRST;
        view.description.onChange(() => view.stale());
    },
    request: (v, view) => ({ command: "amoget", text: view.description.text,
        options: [["json"], ["explain"], ...given("search", v.search), ...given("top", v.top)] }),
    failed(view, result) {
        const places = [...((result && result.messages) || "").matchAll(/^<stdin>:(\d+):(\d+): (error|warning)/gm)];
        view.description.show(places.map((m) => ({ line: Number(m[1]), column: Number(m[2]), severity: m[3], length: 1 })));
    },
    own: true, // has a text of its own
    file: () => "grid.amo",
    show
};
