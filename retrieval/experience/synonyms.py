"""Words of working life that stand for each other in questions."""

from __future__ import annotations

import re

from knowledge.lexical import terms

# No thesaurus: only what people exchange freely when they ask a company's documents again. In
# each line English, German, Russian and Chinese. What is not here counts as another thing.
_GROUPS = (
    "approve approval authorise authorize sign signs|genehmigen genehmigung freigeben freigabe unterschreiben unterzeichnen"
    "|утверждать утверждает утвердить согласовать согласует одобряет подписывает подписать|审批 批准 审核",
    "vacation holiday holidays leave|urlaub urlaubstage ferien|отпуск|年假 休假 假期",
    "employee employees staff worker workers|mitarbeiter angestellte arbeitnehmer beschäftigte|сотрудник работник персонал|员工 职工 人员",
    "company firm employer|firma unternehmen betrieb|компания организация фирма предприятие|公司 单位 企业",
    "reimburse reimbursed refund refunded repay|erstatten erstattet erstattung|компенсировать компенсируют компенсация возмещать возмещение|报销",
    "salary pay wage wages|gehalt lohn|зарплата оклад|工资 薪水 薪资",
    "submit hand file turn|einreichen abgeben vorlegen|сдать сдают подать подают представить|提交 递交 上交 交到",
    "repair fix|reparieren reparatur|починить ремонт ремонтировать|维修 修理",
    "error fault failure|fehler störung|ошибка сбой неисправность|错误 故障",
    "store stored keep kept retain retained|aufbewahren aufbewahrt gespeichert lagern|хранить хранится|保存 存放 保管",
    "start begin beginning|beginnen beginn anfang|начать начало начинается|开始",
    "end finish|ende enden|конец окончание|结束",
    "buy purchase|kaufen kauf einkauf|купить покупка закупка|购买 采购",
    "change replace replacement renew|wechseln tauschen ändern austausch|менять замена заменить|更换 换",
    "report notify|melden gemeldet mitteilen meldet|сообщать сообщить уведомить|报告 上报 通知",
    "responsible charge lead leads head manager|verantwortlich zuständig leiter leitung leitet leiten|отвечает ответственный руководит|负责 负责人",
    "trip travel|dienstreise reise reisen|командировка поездка|差旅 出差",
    "notebook laptop|notebook laptop|ноутбук|笔记本",
    "check inspect inspection verify|prüfen prüfung kontrollieren|проверять проверка|检查 检验",
    "obtain receive entitled|erhalten bekommen zustehen stehen|получать получить положено полагается|享有 获得",
    "operate work function|betreiben funktionieren|работать работает действует|运行 工作",
    "receipt invoice bill|beleg rechnung|чек счет|发票 收据",
    "cancel terminate|kündigen stornieren kündigung|расторгнуть отменить|取消 终止",
    "open opens opening|öffnet öffnen geöffnet|открывается открыт открывают|开门 开放 营业",
    "access entry enter admission|zutritt zugang betreten zugriff|доступ вход проход|进入 出入 访问",
    "connect connection|verbinden verbinde verbindung|подключить подключиться подключение|连接 接入",
    "steal stolen theft|gestohlen diebstahl|украли кража|被盗 被偷",
    "stop stopped halt|stoppen gestoppt eingestellt|остановили остановка прекращение|停止 停了",
    "consequence penalty|folge folgen konsequenz|последствие наказание|后果 处罚",
)  # fmt: skip
_LANGUAGES = ("en", "de", "ru", "zh")
_CANONICAL = {
    term: f"={number}"
    for number, group in enumerate(_GROUPS)
    for language, words in zip(_LANGUAGES, group.split("|"), strict=True)
    for word in words.split()
    for term in terms(word, language)[:1]
}


def canonical_word(term: str) -> str:
    """Return one name for all terms of `knowledge.lexical` that mean the same, else the term."""
    return _CANONICAL.get(term, term)
