"""What `coteach ask` prints of an answer."""

from rich.console import Console

from orchestration.cli.ask_command import in_bold


def test_bold_of_an_answer_is_bold_and_its_brackets_are_no_markup() -> None:
    console = Console(force_terminal=True, color_system="truecolor", width=80)
    with console.capture() as shown:
        console.print(in_bold("Use [red] ends. **A stack [1] is a list.** 2 ** 3 and ** 4"), highlight=False)
    assert shown.get() == "Use [red] ends. \x1b[1mA stack [1] is a list.\x1b[0m 2 ** 3 and ** 4\n"
