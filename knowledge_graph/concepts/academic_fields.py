"""Broad academic fields with a few words that point to each, in English and Chinese. A table; no rules.

The fields follow the first-level disciplines of GB/T 13745-2009 (学科分类与代码), the classification that MOOCCubeX's
course fields go back to, joined where lectures do not tell them apart. The words were chosen by hand: terms that a
lecture of the field says and one of another field rarely does. They are no taxonomy and claim no completeness.
"""

from dataclasses import dataclass

from knowledge_graph.lake.records import Lang


@dataclass(frozen=True)
class AcademicField:
    """A field by its English and its Chinese name, and the words that point to it."""

    en: str
    zh: str
    words: tuple[str, ...]

    def name(self, lang: Lang) -> str:
        return self.zh if lang == "zh" else self.en


def _field(en: str, zh: str, english: str, chinese: str) -> AcademicField:
    return AcademicField(en, zh, (*(word.strip() for word in english.split(",")), *chinese.split()))


ACADEMIC_FIELDS = (
    _field(
        "computer science", "计算机科学",
        "algorithm, data structure, programming, computer, software, software engineering, database, "
        "operating system, compiler, artificial intelligence, machine learning, neural network, linked list, "
        "hash table, pointer, recursion, source code, computer network",
        "计算机 算法 数据结构 程序设计 编程 软件 软件工程 数据库 操作系统 编译 人工智能 机器学习 神经网络 链表 "
        "散列 哈希 指针 递归 源代码",
    ),
    _field(
        "mathematics", "数学",
        "mathematics, math, calculus, algebra, geometry, theorem, lemma, derivative, integral, matrix, "
        "vector space, eigenvalue, eigenvector, determinant, linear transformation, differential equation, "
        "number theory",
        "数学 微积分 代数 几何 定理 引理 导数 积分 矩阵 向量空间 特征值 特征向量 行列式 线性变换 微分方程 拓扑学 "
        "数论",
    ),
    _field(
        "statistics", "统计学",
        "statistics, probability distribution, random variable, standard deviation, variance, hypothesis test, "
        "confidence interval, p-value, bayes, regression analysis, sampling distribution, maximum likelihood, "
        "normal distribution",
        "统计 概率 随机变量 标准差 方差 假设检验 置信区间 回归分析 抽样 极大似然 最大似然 正态分布",
    ),
    _field(
        "physics", "物理学",
        "physics, quantum mechanics, thermodynamics, electromagnetism, magnetic field, electric field, "
        "kinetic energy, potential energy, relativity, photon, newton's law, wavelength",
        "物理 量子力学 热力学 电磁学 磁场 电场 动能 势能 相对论 光子 牛顿定律 波长",
    ),
    _field(
        "chemistry", "化学",
        "chemistry, molecule, chemical reaction, chemical bond, catalyst, acid, ion, oxidation, periodic table, "
        "organic compound, polymer, titration, stoichiometry",
        "化学 化学反应 化学键 催化剂 离子 氧化 还原反应 元素周期表 有机化合物 聚合物 滴定",
    ),
    _field(
        "astronomy", "天文学",
        "astronomy, galaxy, telescope, supernova, planet, black hole, big bang, solar system, redshift",
        "天文 星系 望远镜 超新星 行星 黑洞 大爆炸 太阳系 红移 恒星",
    ),
    _field(
        "earth science", "地球科学",
        "geology, earthquake, plate tectonics, sediment, mineral, climate, atmosphere, oceanography, meteorology, "
        "geography, volcano",
        "地质 地震 板块构造 沉积 矿物 气候 大气 海洋学 气象 地理 火山",
    ),
    _field(
        "biology", "生物学",
        "biology, dna, rna, protein, gene, genome, cell membrane, mitochondria, enzyme, photosynthesis, "
        "natural selection, evolution, ecosystem, chromosome, bacteria, species",
        "生物 蛋白质 基因 基因组 细胞 线粒体 酶 光合作用 自然选择 进化 生态系统 染色体 细菌 物种",
    ),
    _field(
        "medicine", "医学",
        "medicine, patient, disease, diagnosis, clinical trial, surgery, symptom, pharmacology, vaccine, anatomy, "
        "pathology, epidemiology, nursing, public health, blood pressure",
        "医学 患者 疾病 诊断 临床 手术 症状 药理 疫苗 解剖 病理 流行病 护理 公共卫生 血压 中医",
    ),
    _field(
        "agriculture", "农学",
        "agriculture, crop rotation, livestock, soil fertility, irrigation, forestry, fishery, horticulture, "
        "pesticide",
        "农业 农学 作物 畜牧 土壤肥力 灌溉 林业 水产 园艺 农药",
    ),
    _field(
        "engineering", "工程学",
        "mechanical engineering, civil engineering, electrical engineering, chemical engineering, "
        "electric circuit, transistor, voltage, control system, signal processing, fluid mechanics, "
        "tensile strength, heat transfer, manufacturing",
        "机械设计 机械工程 土木工程 电气工程 电路 晶体管 电压 控制系统 信号处理 流体力学 材料力学 传热 制造工艺 "
        "电机",
    ),
    _field(
        "economics", "经济学",
        "economics, microeconomics, macroeconomics, inflation, supply and demand, demand curve, gdp, "
        "monetary policy, fiscal policy, price elasticity, marginal cost, unemployment, interest rate",
        "经济 微观经济 宏观经济 通货膨胀 供给与需求 需求曲线 货币政策 财政政策 需求弹性 边际成本 失业 利率",
    ),
    _field(
        "management", "管理学",
        "business management, project management, marketing, accounting, entrepreneurship, supply chain, "
        "balance sheet, human resource, corporate finance, stakeholder, cash flow, leadership",
        "管理学 企业管理 项目管理 工商管理 市场营销 会计 创业 供应链 资产负债表 人力资源 公司金融 利益相关者 "
        "现金流 领导力",
    ),
    _field(
        "law", "法学",
        "law school, international law, business law, constitutional law, criminal law, contract law, tort, "
        "plaintiff, defendant, supreme court, legislation, intellectual property, jurisdiction, human rights",
        "法学 法律 宪法 刑法 民法 合同法 侵权 原告 被告 法院 立法 知识产权 管辖",
    ),
    _field(
        "political science", "政治学",
        "political science, democracy, parliament, foreign policy, international relations, election, sovereignty, "
        "political party, public policy",
        "政治 民主 议会 外交 国际关系 选举 主权 政党 公共政策 马克思主义",
    ),
    _field(
        "sociology", "社会学",
        "sociology, social class, social structure, ethnography, inequality, social mobility, anthropology, "
        "kinship, demography, urbanization",
        "社会学 社会阶层 社会结构 民族志 不平等 社会流动 人类学 亲属 人口学 城市化",
    ),
    _field(
        "psychology", "心理学",
        "psychology, cognition, working memory, classical conditioning, psychotherapy, personality, "
        "attachment theory, depression, perception, cognitive bias",
        "心理 认知 工作记忆 条件反射 心理治疗 人格 依恋 抑郁 知觉",
    ),
    _field(
        "education", "教育学",
        "education, pedagogy, curriculum, classroom management, instructional design, formative assessment, "
        "constructivism, teacher training, lesson plan",
        "教育 教学法 课程设计 课堂管理 教学设计 形成性评价 建构主义 教师培训 教案",
    ),
    _field(
        "history", "历史学",
        "history, dynasty, empire, world war, revolution, civilization, medieval, archaeology, colonialism, "
        "renaissance, monarchy",
        "历史 王朝 朝代 帝国 世界大战 革命 文明 中世纪 考古 殖民 文艺复兴 君主",
    ),
    _field(
        "philosophy", "哲学",
        "philosophy, ethics, epistemology, metaphysics, ontology, utilitarianism, kant, plato, aristotle, "
        "free will, moral philosophy, phenomenology",
        "哲学 伦理 认识论 形而上学 本体论 功利主义 康德 柏拉图 亚里士多德 自由意志 现象学 儒家 道家",
    ),
    _field(
        "language and literature", "语言文学",
        "literature, linguistics, poetry, fiction, phonology, phoneme, morphology, narrative, rhetoric, "
        "pronunciation, essay",
        "文学 语言学 诗歌 小说 音系 音位 叙事 修辞 发音 散文 翻译学",
    ),
    _field(
        "art", "艺术学",
        "art history, painting, sculpture, music theory, harmony, melody, film studies, theatre, "
        "architecture history, aesthetics, choreography, calligraphy",
        "艺术 绘画 雕塑 乐理 和声 旋律 电影艺术 戏剧 美学 舞蹈 书法 音乐",
    ),
    _field(
        "journalism and communication", "新闻传播学",
        "journalism, mass media, news reporting, public relations, advertising industry, broadcasting, "
        "media studies",
        "新闻 传播学 大众传媒 公共关系 广告学 广播电视",
    ),
    _field(
        "sport", "体育学",
        "sport, physical education, athlete, exercise physiology, football, basketball, yoga, fitness training",
        "体育 运动员 运动生理 足球 篮球 瑜伽 健身",
    ),
)  # fmt: skip
