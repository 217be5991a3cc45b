// Runs commands on the server: one request each, whose answer goes on while the job runs.

async function cancelJob(job) {
    await fetch(`cancel?job=${job}`, { method: "POST" }).catch(() => {});
}

// Splits the answer: lines of JSON until the one that has "exit", then bytes of output.
class Answer {
    constructor(onLine) {
        this.onLine = onLine;
        this.head = new Uint8Array(0);
        this.end = null;
        this.output = [];
    }

    add(bytes) {
        if (this.end) {
            this.output.push(bytes);
            return;
        }
        const joined = new Uint8Array(this.head.length + bytes.length);
        joined.set(this.head);
        joined.set(bytes, this.head.length);
        this.head = joined;
        this.lines();
    }

    lines() {
        let at;
        while (!this.end && (at = this.head.indexOf(10)) >= 0) {
            const line = JSON.parse(new TextDecoder().decode(this.head.subarray(0, at)));
            this.head = this.head.slice(at + 1);
            if ("exit" in line) this.end = line;
            else this.onLine(line);
        }
        if (this.end && this.head.length) this.output.push(this.head);
    }
}

// run({ command, text, options, lines, keep }, onProgress): { done, cancel }.
//   done    a promise of { exit, signal, limit, messages, seconds, peak, output, table, rows }
//   cancel  ends the job; done is then rejected with an AbortError
export function run(request, onProgress = () => {}) {
    const abort = new AbortController();
    let job = null;
    const answer = new Answer((line) => {
        if (line.job) job = line.job;
        else onProgress(line);
    });
    async function start() {
        const response = await fetch("run", {
            method: "POST", signal: abort.signal, body: JSON.stringify(request),
            headers: { "Content-Type": "application/json" }
        });
        if (!response.ok) throw new Error((await response.text()).trim());
        const reader = response.body.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            answer.add(value);
        }
        if (!answer.end) throw new Error("the server has ended the answer too early");
        return { ...answer.end, output: await new Blob(answer.output).text() };
    }
    return {
        done: start(),
        cancel() {
            if (job !== null) cancelJob(job);
            abort.abort();
        }
    };
}

// Why there is no result, in words; null: there is one.
export function failure(result) {
    if (result.limit === "time") return "The job took longer than its time limit (--time-limit).";
    if (result.limit === "output") return "The output is larger than the server keeps.";
    if (result.limit) return "The job was cancelled.";
    if (result.signal) return `The job ended by signal ${result.signal}; the server and other jobs go on.`;
    if (result.exit === 0) return null;
    return result.messages.trim() || `The command failed with status ${result.exit}.`;
}

// The shell command that repeats a request on a file.
export function commandLine(request, file) {
    const quote = (word) => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
    const words = request.command === "amoget" ? ["amoget"] : ["pepa", request.command];
    words.push(quote(file));
    for (const [name, value] of request.options) {
        if (name === "json") continue;
        if (name === "define") words.push("-D", quote(value));
        else words.push(`--${name}`, ...(value === undefined ? [] : [quote(value)]));
    }
    const line = words.join(" ");
    return request.lines && request.lines.length
        ? `printf '%s\\n' ${request.lines.map(quote).join(" ")} | ${line}` : line;
}
