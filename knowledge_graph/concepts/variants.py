"""Spellings of one term: keys under which variants meet, beyond what `text.normal_form` folds.

Belongs here: joined and spaced compounds ("data set", "dataset"), possessives, Chinese characters with two forms.
"""

_TRADITIONAL = str.maketrans(
    "樹圖鏈結點節棧隊雜遞歸歸併排尋徑雙單號層數組據儲內線邊權類際運動態規劃貪劃優計換與縮壓編碼譯詞語義識別訓練學習測試誤損"
    "網絡層連續離異變參擬過驗證標準測預報維向迴歸樣統計分佈聯條關係對應圍範圓場電腦機輸鍵詢開閉環綫實現頁塊緩衝調複製創刪",
    "树图链结点节栈队杂递归归并排寻径双单号层数组据储内线边权类际运动态规划贪划优计换与缩压编码译词语义识别训练学习测试误损"
    "网络层连续离异变参拟过验证标准测预报维向回归样统计分布联条关系对应围范圆场电脑机输键询开闭环线实现页块缓冲调复制创删",
)
"""Traditional characters that terms of science are written with, and their simplified forms."""
_SAME_WORDS = (("结点", "节点"), ("迭代", "叠代"), ("哈夫曼", "霍夫曼"))
"""Two accepted writings of one word; the second is folded to the first."""


def variant_key(lang: str, normal: str) -> str:
    """What all spellings of a term have in common; two terms with one key are one concept."""
    if lang == "en":
        return normal.replace(" 's", "").replace("'s", "").replace(" ", "")
    folded = normal.translate(_TRADITIONAL)
    for kept, other in _SAME_WORDS:
        folded = folded.replace(other, kept)
    return folded
