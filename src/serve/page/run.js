// Runs commands on the server: one request each, whose answer goes on while the job runs.

const AGAIN = 100; // milliseconds until the server is asked again if as many jobs run as may

function pause(time) {
    return new Promise((done) => setTimeout(done, time));
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
//   cancel  ends the job; done is then rejected
export function run(request, onProgress = () => {}) {
    const abort = new AbortController();
    let job = null, unwanted = false;
    // A job can be named once its first line is there; a lost connection alone is noticed later.
    function stop() {
        fetch(`cancel?job=${job}`, { method: "POST" }).catch(() => {});
        abort.abort();
    }
    const answer = new Answer((line) => {
        if (!line.job) {
            onProgress(line);
            return;
        }
        job = line.job;
        if (unwanted) stop();
    });
    async function ask() {
        for (;;) {
            const response = await fetch("run", {
                method: "POST", signal: abort.signal, body: JSON.stringify(request),
                headers: { "Content-Type": "application/json" }
            });
            if (response.ok) return response;
            if (response.status !== 429) throw new Error((await response.text()).trim());
            onProgress({ progress: "Waiting: as many jobs run as may at a time (--jobs)." });
            await pause(AGAIN);
            if (unwanted) throw new Error("cancelled");
        }
    }
    async function start() {
        const reader = (await ask()).body.getReader();
        for (;;) {
            const { done, value } = await reader.read();
            if (done) break;
            answer.add(value);
        }
        if (!answer.end) throw new Error("The server has ended the answer too early.");
        return { ...answer.end, output: await new Blob(answer.output).text() };
    }
    const done = start().catch((error) => {
        throw error instanceof TypeError ? new Error("The server does not answer: has it ended?") : error;
    });
    done.catch(() => {}); // who has cancelled does not listen
    return {
        done,
        cancel() {
            unwanted = true;
            if (job !== null) stop();
        }
    };
}

// Why there is no result, in words; null: there is one.
export function failure(result) {
    if (result.limit === "time") return "The job took longer than its time limit (--time-limit).";
    if (result.limit === "output") return "The output is larger than the server keeps.";
    if (result.limit === "storage")
        return "The server cannot store the output: its disk for temporary files (/tmp) or its memory is full.";
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
