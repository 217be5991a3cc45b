// Starts `pepa lsp`, and shows what it solves beside the model.
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** @param {{ text: string } | null} result of the server's command pepa.solve */
async function show(result) {
    if (!result)
        return;
    const document = await vscode.workspace.openTextDocument({
        language: "markdown",
        content: result.text,
    });
    await vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true);
}

function activate() {
    const command = vscode.workspace.getConfiguration("pepa").get("command", "pepa");
    client = new LanguageClient(
        "pepa", "PEPA", { command, args: ["lsp"] },
        {
            documentSelector: [{ language: "pepa" }, { language: "amoget" }],
            middleware: {
                executeCommand: async (name, args, next) => {
                    const result = await next(name, args);
                    if (name === "pepa.solve")
                        await show(result);
                    return result;
                },
            },
        });
    return client.start();
}

function deactivate() {
    return client && client.stop();
}

module.exports = { activate, deactivate };
