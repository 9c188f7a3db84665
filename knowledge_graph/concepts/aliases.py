"""Different names of one concept: acronyms with their expansions, Chinese terms with English in brackets, spellings.

Belongs here: deciding that two candidates are one, and the keys under which the spellings of one term meet: joined and
spaced compounds ("data set", "dataset"), possessives, Chinese characters with two forms. Plural, case and hyphens are
already folded by `text.normal_form`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge_graph.concepts.candidate import TermCandidate, unpack_spots
from knowledge_graph.concepts.candidates import TITLES
from knowledge_graph.text.sentences import LectureSpan, normal_form

_BRACKETED = re.compile(
    r"(?<![A-Za-z0-9\u3400-\u9fff])(?<![A-Za-z0-9] )([\u3400-\u9fff]{2,40})"
    r"\s*[(（]\s*([A-Za-z][A-Za-z \-]{1,40}?)\s*[)）]"
)
_BETWEEN = re.compile(
    r"\W{0,3}(?:,?\s{0,9}(?:or|also (?:called|known as)|which (?:is|stands for)|stands for|abbreviated(?: as)?|called|"
    r"for short|简称|即|也叫|全称是?)\s*(?:an?\s|the\s)?)?\W{0,3}",
    re.IGNORECASE,
)
_BEFORE_NAME = "的是叫做为称即和与或用到了在对于个种讲说"  # Chinese characters after which a name may begin
PROCEDURES = frozenset("algorithm method technique approach procedure 算法 方法".split())
"""Words that add nothing to the name of a procedure."""
_POSSESSIVE = re.compile(r"([a-z]+) ?'s ")
_SELDOM = 4  # of so many mentions of "Denning" one at least is tagged as a name
_SAFE_LETTERS = 3  # two letters fit too many expansions to be joined without the lecturer saying so
_TRADITIONAL = str.maketrans(
    "樹圖鏈結點節棧隊雜遞歸歸併排尋徑雙單號層數組據儲內線邊權類際運動態規劃貪劃優計換與縮壓編碼譯詞語義識別訓練學習測試誤損"
    "網絡層連續離異變參擬過驗證標準測預報維向迴歸樣統計分佈聯條關係對應圍範圓場電腦機輸鍵詢開閉環綫實現頁塊緩衝調複製創刪",
    "树图链结点节栈队杂递归归并排寻径双单号层数组据储内线边权类际运动态规划贪划优计换与缩压编码译词语义识别训练学习测试误损"
    "网络层连续离异变参拟过验证标准测预报维向回归样统计分布联条关系对应围范圆场电脑机输键询开闭环线实现页块缓冲调复制创删",
)
"""Traditional characters that terms of science are written with, and their simplified forms."""
_SAME_WORDS = (("结点", "节点"), ("迭代", "叠代"), ("哈夫曼", "霍夫曼"))
"""Two accepted writings of one word; the second is folded to the first."""


@dataclass(frozen=True)
class MergedTerm:
    """A candidate with everything that names it; `candidate` carries the summed counts and the id."""

    candidate: TermCandidate
    name: str
    aliases: tuple[str, ...]
    """Other surface forms, sorted, the name left out."""

    @property
    def concept_id(self) -> str:
        return self.candidate.concept_id

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


def variant_key(lang: str, normal: str) -> str:
    """What all spellings of a term have in common; two terms with one key are one concept."""
    if lang == "en":
        return normal.replace(" 's", "").replace("'s", "").replace(" ", "")
    folded = normal.translate(_TRADITIONAL)
    for kept, other in _SAME_WORDS:
        folded = folded.replace(other, kept)
    return folded


def merge(candidates: Mapping[str, TermCandidate], sentences: Sequence[LectureSpan]) -> list[MergedTerm]:
    """One term for each concept, sorted by concept id; `sentences` in the order that the candidates' places count."""
    heads = _resolve(
        {
            **_general_heads(candidates),
            **_persons(candidates),
            **_eponyms(candidates),
            **_spellings(candidates),
            **_acronym_pairs(candidates, sentences),
            **_bracket_pairs(candidates, sentences),
        }
    )
    extra = _bracket_names(candidates, sentences)
    joined: defaultdict[str, list[TermCandidate]] = defaultdict(list)
    for key, candidate in candidates.items():
        joined[heads.get(key, key)].append(candidate)
    return [_term(candidates[key], joined[key], extra.get(key, ())) for key in sorted(joined)]


def _resolve(heads: Mapping[str, str]) -> dict[str, str]:
    """Each alias with the last of its heads; a circle is cut where it closes."""
    found = {}
    for key in sorted(heads):
        seen = {key}
        head = heads[key]
        while head in heads and heads[head] not in seen:
            seen.add(head)
            head = heads[head]
        if head != key:
            found[key] = head
    return {key: head for key, head in found.items() if head not in found}


def _spellings(candidates: Mapping[str, TermCandidate]) -> dict[str, str]:
    """Each variant spelling with the commonest one."""
    groups: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for key, candidate in candidates.items():
        groups[candidate.lang, variant_key(candidate.lang, candidate.normal)].append(key)
    pairs = {}
    for keys in groups.values():
        best = max(keys, key=lambda key: (candidates[key].count, key))
        pairs.update({key: best for key in keys if key != best})
    return pairs


def _general_heads(candidates: Mapping[str, TermCandidate]) -> dict[str, str]:
    """ "Gradient descent algorithm" with "gradient descent", when that is said as often without the last word."""
    pairs = {}
    for key, candidate in candidates.items():
        if len(candidate.words) < 2 or candidate.words[-1] not in PROCEDURES:
            continue
        base = f"{candidate.lang}:{candidate.normal[: -len(candidate.words[-1])].rstrip()}"
        if base in candidates and _is_name(candidates[base]) and candidates[base].count >= 2 * candidate.count:
            pairs[key] = base
    return pairs


def _persons(candidates: Mapping[str, TermCandidate]) -> dict[str, str]:
    """ "Lord Denning" with "Denning", when no other name ends in it; titles tell nobody apart."""
    ending: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for key, candidate in candidates.items():
        if candidate.lang == "en" and _is_proper_name(candidate):
            ending[candidate.lang, candidate.words[-1]].append(key)
    pairs = {}
    for keys in ending.values():
        keys.sort(key=lambda key: len(candidates[key].words))
        names = [[word for word in candidates[key].words if word not in TITLES] for key in keys]
        texts = [f" {' '.join(words)}" for words in names]
        is_alone = len(candidates[keys[0]].words) == 1 and candidates[keys[0]].alone > 0
        if is_alone and all(map(str.endswith, texts[1:], texts)):
            pairs.update(dict.fromkeys(keys[1:], keys[0]))
    return pairs


def _eponyms(candidates: Mapping[str, TermCandidate]) -> dict[str, str]:
    """ "Dijkstra" with "Dijkstra's algorithm", when a procedure is all that the name is said to have."""
    owned: defaultdict[str, list[str]] = defaultdict(list)
    for key, candidate in candidates.items():
        if found := _POSSESSIVE.match(candidate.normal):
            owned[f"{candidate.lang}:{found[1]}"].append(key)
    return {
        name: keys[0]
        for name, keys in owned.items()
        if name in candidates and len(keys) == 1 and candidates[keys[0]].words[-1] in PROCEDURES
    }


def _is_name(base: TermCandidate) -> bool:
    """Whether it names something without a word such as "algorithm" behind it, as "learning" does not."""
    return len(base.words) > 1 or _is_acronym(base) or (base.lang == "zh" and len(base.normal) >= 4)


def _term(head: TermCandidate, members: Sequence[TermCandidate], extra: Iterable[str]) -> MergedTerm:
    whole = TermCandidate(
        head.lang,
        head.normal,
        head.words,
        nested_count=head.nested_count,
        containers=head.containers,
        largest_container=head.largest_container,
    )
    for member in members:
        whole.surfaces.update(member.surfaces)
        if head.normal not in member.normal or member is head:  # the longer one's counts are in the head's
            whole.add(member)
    name = display_name(head)
    shown = {_display_form(surface, whole) for surface in whole.surfaces} | set(extra)
    spelled = {alias.lower(): alias for alias in sorted(shown, reverse=True)}  # of "PCA" and "Pca" keep one
    return MergedTerm(whole, name, tuple(sorted(alias for low, alias in spelled.items() if low != name.lower())))


def display_name(candidate: TermCandidate) -> str:
    """The most frequent surface form, in lower case unless it is a proper name or an acronym.

    Case does not split the count; of a singular and a plural the singular is shown when it occurs at all.
    """
    counts: defaultdict[str, int] = defaultdict(int)
    for surface, count in candidate.surfaces.items():
        counts[_display_form(surface, candidate)] += count
    singular = [form for form in counts if form.lower().replace("-", " ") == candidate.normal]
    best = max(counts, key=lambda form: (counts[form], form))
    if singular and best.lower().replace("-", " ") != candidate.normal and not best.isupper():
        return max(singular, key=lambda form: (counts[form], form))
    return best


def _display_form(surface: str, candidate: TermCandidate) -> str:
    """Lower case for every word that the lecturer's captions also write in lower case somewhere in this term."""
    flat = " ".join(surface.split())
    if flat == flat.lower() or flat.isupper():
        return flat
    lower = sum(count for form, count in candidate.surfaces.items() if form == form.lower())
    same = candidate.surfaces[surface]
    is_name = _proper(flat) or _is_proper_name(candidate)
    return flat.lower() if lower >= same or not is_name else flat


def _proper(surface: str) -> bool:
    """A capital beyond the first letter of the first word: "Bayes Rule", "MapReduce"; not a sentence's first word."""
    return any(char.isupper() for char in surface[1:])


def _is_proper_name(candidate: TermCandidate) -> bool:
    """Whether it is mostly taken for a name, written large inside a sentence and never small, and no acronym."""
    if candidate.proper * _SELDOM < candidate.count or any(map(str.islower, candidate.surfaces)):
        return False
    return bool((unpack_spots(candidate.spots)[:, 1] > 0).any()) and not _is_acronym(candidate)


def _is_acronym(candidate: TermCandidate) -> bool:
    upper = sum(count for surface, count in candidate.surfaces.items() if surface.rstrip("s").isupper())
    return len(candidate.words) == 1 and candidate.normal.isascii() and upper * 2 > candidate.count


def _acronym_pairs(candidates: Mapping[str, TermCandidate], sentences: Sequence[LectureSpan]) -> dict[str, str]:
    """Acronym's id -> expansion's id: the two said side by side, or letters that fit one expansion only."""
    expansions: defaultdict[str, list[str]] = defaultdict(list)
    for key, candidate in candidates.items():
        if len(words := candidate.normal.split(" ")) > 1:
            expansions["".join(word[0] for word in words)].append(key)
    pairs = {}
    for key, candidate in sorted(candidates.items()):
        fitting = sorted(expansions.get(candidate.normal, ()))
        if not fitting or not _is_acronym(candidate):
            continue
        said = [other for other in fitting if _side_by_side(candidate, candidates[other], sentences)]
        if said:
            pairs[key] = max(said, key=lambda other: (candidates[other].count, other))
        elif len(fitting) == 1 and len(candidate.normal) >= _SAFE_LETTERS:
            pairs[key] = fitting[0]
    return pairs


def _side_by_side(acronym: TermCandidate, expansion: TermCandidate, sentences: Sequence[LectureSpan]) -> bool:
    """Whether a sentence says both with nothing between but brackets or words such as "or" and "also called"."""
    short = "|".join(map(re.escape, sorted(acronym.surfaces)))
    long = "|".join(map(re.escape, sorted(expansion.surfaces)))
    between = _BETWEEN.pattern
    either = re.compile(rf"\b(?:(?:{long}){between}(?:{short})|(?:{short}){between}(?:{long}))\b", re.IGNORECASE)
    return any(either.search(sentences[at].text) for at in sorted(set(acronym.places.tolist())))


def _names_in_brackets(
    candidates: Mapping[str, TermCandidate], sentences: Sequence[LectureSpan]
) -> Iterable[tuple[str, str]]:
    """Pairs of a Chinese candidate's id and the English that follows it in brackets."""
    for sentence in sentences:
        if "(" not in sentence.text and "（" not in sentence.text:
            continue
        for match in _BRACKETED.finditer(sentence.text):
            chinese = match.group(1)
            starts = (at for at in range(len(chinese) - 1) if at == 0 or chinese[at - 1] in _BEFORE_NAME)
            ids = (f"zh:{chinese[at:]}" for at in starts)
            if key := next((key for key in ids if key in candidates), None):
                yield key, match.group(2)


def _bracket_names(candidates: Mapping[str, TermCandidate], sentences: Sequence[LectureSpan]) -> dict[str, list[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for key, english in _names_in_brackets(candidates, sentences):
        found[key].add(english)
    return {key: sorted(names) for key, names in found.items()}


def _bracket_pairs(candidates: Mapping[str, TermCandidate], sentences: Sequence[LectureSpan]) -> dict[str, str]:
    pairs = {}
    for key, english in sorted(set(_names_in_brackets(candidates, sentences))):
        other = f"zh:{normal_form(english, 'zh')}"
        if other in candidates:
            pairs[other] = key
    return pairs
