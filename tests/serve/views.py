"""Views of the workbench in a browser: fill in, run, wait for the end."""
SETTLED = """const p = document.querySelector(`#panel-${arguments[0]}`);
    return p.querySelector('.buttons [type=button]').hidden && p.querySelector('.status').textContent"""
FILL = """for (const [name, value] of Object.entries(arguments[1])) {
        const i = document.querySelector(`#panel-${arguments[0]} [name=${name}]`);
        if (i.type === 'checkbox') i.checked = value; else i.value = value;
    }"""


def fill(browser, view, fields):
    browser.script(FILL, view, fields)


def run(browser, view, fields):
    """What the status says when it has ended."""
    browser.click(f"#tab-{view}")
    fill(browser, view, fields)
    browser.click(f"#panel-{view} button.run")
    return browser.wait(SETTLED, view)
