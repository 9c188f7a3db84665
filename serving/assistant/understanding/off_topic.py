"""Requests that no course answers: the weather, dating, trade, betting, travel, cooking. English and Chinese.

Only requests for facts and services are named, which a model would make up. A remark about the weather is small talk.
"""

import re

_GOODS = (
    r"(?:cars?|i?phones?|laptops?|house|apartment|shoes|sneakers|clothes|tickets?|furniture|bike|bicycle|motorcycle|tv|"
    r"jewelry)"
)
_PLACES = r"(?:restaurants?|hotels?|flights?|bars?|nightclubs?)"
_GOODS_ZH = r"(?:手机|电脑|汽车|车子|房子|衣服|鞋|门票|二手|口红|化妆品)"
_DAY_ZH = r"(?:今天|明天|后天|周末|待会)"
_LOVED_ZH = r"(?:男朋友|女朋友|女生|男生|女孩|男孩)"
_PARTNER_ZH = r"(?:怎么|如何|怎样|想|帮我)(?:找|介绍)(?:个|一个)?对象[?？。吗呢啊\s]*$"

_TOPICS = {
    "weather": r"\b(?:what(?:'s| is| will)|how(?:'s| is| will)|check|tell me|show me)\b.{0,20}\bweather\b"
    r"|\bweather (?:today|tomorrow|tonight|this week|right now)\b"
    r"|\b(?:will|is) it (?:be |going to )?(?:rain|snow|sunny)(?:ing)?\b"
    rf"|(?:{_DAY_ZH}|昨天|现在|这周|最近|外面|北京|上海|查一?下?).{{0,6}}(?:天气|气温)"
    r"(?:怎么样|怎样|如何|预报|好吗|多少|是什么|[?？])"
    rf"|天气预报[?？。\s]*$|{_DAY_ZH}.{{0,6}}下[雨雪]吗|会不?会?下[雨雪]",
    "dating": r"\b(?:find|get|need|want|looking for|meet|impress|win back|ask out)\b.{0,25}"
    r"\b(?:girlfriend|boyfriend|a date|wife|husband)\b"
    r"|\bdating (?:apps?|sites?|advice|tips|profile)\b|\bgo on a date\b|\bmy crush\b"
    r"|\b(?:ask|take) (?:her|him|a girl|a boy|someone) (?:out|on a date)\b"
    r"|\b(?:does|do) (?:she|he) (?:like|love) me\b"
    rf"|(?:找|交|追|介绍|想要|撩)[个一了到位上]{{0,3}}{_LOVED_ZH}|{_PARTNER_ZH}|怎[么样](?:追|表白|脱单|撩)|相亲|脱单"
    r"|(?:她|他)(?:喜不喜欢|喜欢|爱不爱|爱)我吗",
    "trade": r"\b(?:i|we|to|where|how)\b.{0,20}\b(?:buy|sell|resell|purchase|trade in)\b.{0,20}"
    rf"\b(?:my|used|second[- ]hand|cheap)\b.{{0,20}}\b{_GOODS}\b"
    rf"|\bwhere can i (?:buy|sell|order)\b.{{0,20}}\b(?:{_GOODS}|pizza|food)\b"
    r"|\b(?:which|what) (?:stocks?|crypto\w*) (?:should|to|do) (?:i |you )?(?:buy|recommend|invest)\b"
    r"|\b(?:promo|discount|coupon) codes? for\b"
    rf"|(?:哪里|怎么|想|要|帮我|有人).{{0,4}}(?:买|卖|出售|转让|求购|收).{{0,6}}{_GOODS_ZH}"
    r"|(?:买|推荐).{0,3}(?:哪只|哪支|什么|几只)(?:股票|基金)|(?:股票|基金|比特币).{0,4}(?:能买吗|买哪|该不该买)|代购",
    "chance": r"\b(?:winning )?lottery numbers\b|\bhoroscope\b|\bmy (?:zodiac|star) sign\b|\bshould i bet on\b"
    r"|\bbetting (?:odds|tips)\b|(?:星座|今日|今天|本周).{0,4}运势|算命|塔罗牌|(?:彩票|双色球|中奖)号码",
    "travel and food": rf"\b(?:find|recommend|best|book|cheap|good|any|which)\b.{{0,20}}\b{_PLACES} "
    r"(?:near|nearby|in|to|around|for tonight)\b"
    r"|\b(?:book|order)(?: me)? an? (?:flight|hotel|taxi|table|pizza|uber)\b|\brecipes? for\b"
    r"|\bhow (?:do i|to|can i) (?:cook|bake|lose (?:weight|belly fat))\b"
    r"|附近.{0,6}(?:餐厅|饭店|酒店|好吃|美食|宾馆)|(?:订|买)一?张?(?:机票|火车票|电影票)"
    r"|(?:怎么|如何|怎样|快速)减肥|(?:怎么|如何)做(?:饭|菜|红烧肉|蛋糕)|菜谱",
}
_OF_A_METHOD = re.compile(
    r"\b(?:predict\w*|model\w*|algorithms?|data ?sets?|networks?|chains?|trees?|examples?|matching|expected value|"
    r"recommender|race conditions?)\b|预测|模型|算法|数据|网络|系统|用.{1,12}(?:链|树|法|LSTM|Dijkstra)",
    re.IGNORECASE,
)
"""What a textbook applies to such things: "use the weather data set in a decision tree"."""

_REQUESTS = tuple(re.compile(pattern, re.IGNORECASE) for pattern in _TOPICS.values())


def is_off_topic(text: str) -> bool:
    """Whether the text asks for what no course answers, and names no method of a course."""
    return _OF_A_METHOD.search(text) is None and any(request.search(text) for request in _REQUESTS)
