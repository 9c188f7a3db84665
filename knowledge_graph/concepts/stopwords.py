"""Words that lectures are full of and that no concept consists of.

Belongs here: word lists alone. `NOISE` words never occur inside a candidate; `NOT_ALONE` words may be part of a longer
term ("loss function", "training set") and are voted down alone.
"""

NOISE_EN = frozenset(
    """
    a able actual afternoon all also amount answer any anything audience bad basic basically because best better
    big bit bottom bunch case certain chapter claim clear clip colleague color colour concept corresponding
    couple course crazy current day days deal different difficult discussion easy end entire everybody everyone
    everything exact example exciting exercise existing explanation extra fact few fine first following fourth
    fun further gentleman goal good great green guess guy hand help here hint hold homework hour hundred idea
    important impossible instructor interesting intuition kind last late later least lecture left lesson let
    letter likely line little lot lots main many matter maybe mean million mine minute moment month more morning
    most much music name natural neat necessary new next nice nobody none note nothing now obvious obviously
    okay old one ones only open opposite ordinary original other others own page paper part particular parts
    past people per person picture piece place plain plenty poor popular possible practical practice pretty previous
    proper pseudo question quiz quote really reason relevant remaining remark reminder rest result right
    rough row same second several side situation slide slightly slow so somebody someone something sometimes
    somewhat soon special specific stage start stuff subject such sure sudden talk team terms terrible thanks thing
    things third thousand time times title today tomorrow tons top topic total trick trouble true try tutorial
    two typical unable use useful usual various version very video videos way ways week weird whole wonderful
    word words work world worth wrong year yes yesterday you alpha beta gamma delta epsilon zeta eta theta iota
    kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega subscript superscript colon comma
    semicolon minus plus detail details called given used based related known shown wanted needed notice inside
    outside um uh hmm huh gonna wanna gotta yeah ok hey hi hello applause laughter ith jth kth nth mth
    """.split()
)

NOT_ALONE_EN = frozenset(
    """
    half instance middle notation order point rule section sense sort statement step symbol task type unit
    ability access accuracy action advantage algorithm analysis application applications approach area
    argument aspect attempt average axis background base behavior behaviour benefit block bound box call care
    category cause change chance character choice circle class code collection column combination company
    component computation computer condition constant content context control cost count customer data
    decision definition degree dimension direction dot edge effect effort element entry equation error event
    expression factor field figure form formula fraction function future game group height history house image
    impact implementation improvement increase index information input item job key knowledge language law
    learning length level library limit list machine majority mark mass measure method middle mistake mode
    model movie network object operation operator opportunity option output pair parameter path pattern
    percent performance period phone plot position possibility power price probability problem procedure
    process product program programmer programming project proof property quality quantity range rate ratio
    relationship representation research respect role root run sample scale scheme science score screen search
    sequence series set setting shape sign site size software solution space speed spot square state story
    strategy string structure student style sum summary system table target technique technology term test
    text theory thought tool training transition user value variable variety vector view visit weight width
    x-axis y-axis
    """.split()
)

NOISE_ZH = frozenset(
    """
    好处 缺点 优点 关键 区别 毛病 办法 做法 思路 特点 注意 假设 走一遍 往右 往左 条边 边数 图用 讲图 先学
    也就是说 比如说 换句话说 换言之 我会 对应 设置 键入 代表 效果 直观 证明 检查 移动 合理
    自动 细节 绘制 总的来说 一般来说 举例来说 总而言之 这个 那个 东西 同学 同学们 大家 视频
    问题 时候 情况 例子 方面 部分 地方 事情 办法 意思 样子 样 我们 你们 他们 它们 自己
    别人 老师 课程 这节课 本节课 上节课 下节课 这一讲 上一讲 下一讲 这讲 上讲 下讲 上一步 下一步 第一步
    所以 如果 因为 但是 因此 于是 而且 或者 虽然 只要 只有 今天 明天 现在 以后 之后 之前 以前 然后
    接下来 下面 上面 里面 外面 左边 右边 前面 后面 中间 旁边 一下 一点 一些 一个 一种 有点
    比如 例如 比方 结果 原因 内容 作业 题目 习题 答案 是 有 可以 能 会 要 想 让 用 使用
    利用 进行 得到 看到 知道 认为 觉得 希望 需要 应该 可能 开始 结束 继续 告诉 说 讲 看
    做 来 去 给 把 叫 叫做 称为 称 表示 表明 说明 说法 意味着 包括 包含 等于 变成 成为
    作为 存在 出现 发生 决定 考虑 讨论 介绍 了解 理解 记住 回忆 复习 注意 试图 尝试
    帮助 谢谢 感谢 欢迎 再见 简单 复杂 重要 主要 基本 一般 特别 非常 不同 相同 同样 所有
    任何 每个 其他 其它 其中 实际 具体 真正 正确 错误 好 坏 大 小 多 少 长 短 人 人们
    人类 时间 方式 方法 方案 过程 步骤 时 处 点 种 类 个 次 件 位 名 年 月 日 天 周
    分钟 小时 秒 页 章 节 图 图片 图中 图里 幻灯片 屏幕 画面 公司 世界 生活 工作 朋友
    字幕 整理 校对 翻译 第一 第二 第三 首先 其次 最后 公式 符号 数字 字母 右侧 左侧 右下角
    左上角 下方 上方 底部 顶部 红色 蓝色 绿色 黑色 白色 紫色 黄色 颜色 实际上 事实上 基本上
    本质上 总体 大量 大部分 多数 少数 部份 角度 意义 目的 目标 机会 建议 直觉 感觉 想法
    思路 定义 概念 解释 含义 课 本课 学生 学习者 讲座 网站 论坛 邮件
    """.split()
)

NOT_ALONE_ZH = frozenset(
    """
    学习 算法 函数 数据 值 数 数量 数值 集合 集 项 式子 式 结构 系统 程序 模型 参数 变量
    条件 关系 操作 元素 对象 类型 性质 规则 空间 方向 位置 距离 大小 长度 宽度 高度 范围
    区域 顺序 次数 速度 效率 性能 功能 信息 内存 计算机 电脑 机器 工具 应用 技术 语言 软件
    研究 理论 领域 代码 房子 房价 价格 用户 电影 图像 文本 单词 网络 成本 代价 误差 概率
    平均 中心 直线 曲线 平面 坐标 水平 训练 测试 计算 处理 分析 设计 实现 输入 输出 存储
    运行 变化 影响 区别 特点 优点 缺点 作用 标准 单位 组合 形式 方程 表达式 常数 符号 下标
    结点 节点 指针 选择 厂商 企业 商品 产品 消费 生产 消费者 生产者 物品 百分比 最低点
    """.split()
)
