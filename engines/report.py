"""The tables of docs/runtimes.md about the comparison with engines."""


def summary(names, outcomes):
    """Numbers of files by engine and outcome."""
    kinds = {"agrees": "agrees", "predicted": "deviates as predicted", "refused": "refuses or crashes as predicted",
             "unpredicted": "not as predicted"}
    lines = ["| engine | files | " + " | ".join(kinds.values()) + " | announced wrongly or not at all |",
             "|---|---|" + "---|" * (len(kinds) + 1)]
    for name in names:
        own = [outcome for (_, engine), outcome in outcomes.items() if engine == name and outcome.kind != "uncompared"]
        counts = [sum(outcome.kind == kind for outcome in own) for kind in kinds]
        announced = sum(bool(outcome.announcement) for outcome in own)
        lines.append(f"| {name} | {len(own)} | " + " | ".join(map(str, counts)) + f" | {announced} |")
    return "\n".join(lines)


def table(names, outcomes):
    """A row per file, with the deviation of each engine from the specification."""
    lines = ["| file | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for path in sorted({path for path, _ in outcomes}):
        cells = [cell(outcomes.get((path, name))) for name in names]
        lines.append(f"| {path} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cell(outcome):
    if outcome is None or outcome.kind == "uncompared":
        return "–"
    if outcome.kind == "agrees":
        return "agrees"
    if outcome.kind == "refused":
        return "refused"
    text = outcome.text.replace("|", "\\|")
    return f"**{text}**" if outcome.kind == "unpredicted" else text


def replace_section(page, name, text):
    """Replaces the part of a page between two marks."""
    before, rest = page.read_text().split(f"<!-- {name} -->\n", 1)
    after = rest.split(f"<!-- /{name} -->\n", 1)[1]
    page.write_text(f"{before}<!-- {name} -->\n{text}\n<!-- /{name} -->\n{after}")
