/** Letters of other alphabets that look Latin, by the letter they pass for. */
const lookalikes: readonly (readonly [latin: string, others: string])[] = [
  ['a', 'аɑα'],
  ['b', 'ЬƄ'],
  ['c', 'сϲ'],
  ['d', 'ԁ'],
  ['e', 'еєε'],
  ['g', 'ɡ'],
  ['h', 'һ'],
  ['i', 'іιı'],
  ['j', 'ј'],
  ['k', 'κк'],
  ['l', 'ӏ'],
  ['m', 'м'],
  ['n', 'ոη'],
  ['o', 'оοσ'],
  ['p', 'рρ'],
  ['q', 'ԛ'],
  ['r', 'г'],
  ['s', 'ѕ'],
  ['t', 'тτ'],
  ['u', 'υ'],
  ['v', 'ѵν'],
  ['w', 'ԝω'],
  ['x', 'хχ'],
  ['y', 'уγ'],
]
const latinOf = new Map(lookalikes.flatMap(([latin, others]) => [...others].map((other) => [other, latin] as const)))
/** Digits that stand for letters. */
const letterOf = new Map([
  ['0', 'o'],
  ['1', 'i'],
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
  ['@', 'a'],
  ['$', 's'],
])

/**
 * Words in their order; a space means anything short without letters, `*` means words of the list, any number of
 * them.
 */
function phrase(words: string, between = ''): RegExp {
  const loose = between === '' ? '' : `(?:[^a-z]{1,12}(?:${between})){0,6}`
  return new RegExp(`(?<![a-z])(?:${words.replaceAll('*', loose).replaceAll(' ', '[^a-z]{1,12}')})(?![a-z])`)
}

const judge =
  '(?:(?:ai|automated|automatic) )?(?:reviewer|verifier|grader|evaluator|classifier|language model|llm|ai|chatgpt|gpt|claude|gemini)'
const good = '(?:passed|valid|verified|genuine|authentic|satisfied|correct|complete|approved|yes|true)'

/** Ways of speaking to whoever judges the evidence, not to whoever asked for it. */
const patterns: readonly RegExp[] = [
  // What was said before is set aside
  phrase(
    '(?:ignore|disregard|forget|override|bypass)* (?:instructions?|rules?|prompts?|guidelines?|directions?|questions?|commands?|criteria)',
    'all|any|every|the|these|those|your|of|my|previous|prior|above|earlier|preceding|original|initial|system|other|given|and',
  ),
  phrase(
    '(?:ignora|ignore|ignorar|ignoren|olvida|olvide|olvidar|descarta|omite|omita|desobedece|esquece|esqueca|desconsidere|dimentica)* (?:instruccion(?:es)?|reglas?|ordenes|indicaciones|criterios|instrucoes|regras|istruzioni|preguntas)',
    'de|todas?|todos|as|os|las?|los|tus|sus|tutte|le|estas?|cualquier|previas|anteriores',
  ),
  phrase('(?:ignore[zr]?|oublie[zr]?)* (?:instructions?|consignes|regles)', 'toutes?|les|ces|vos|tes|precedentes'),
  phrase(
    '(?:ignoriere?n?|vergiss|vergessen)* (?:anweisungen|regeln|instruktionen)',
    'sie|alle|die|deine|ihre|vorherigen|bisherigen|obigen',
  ),
  phrase('new (?:instructions|rules|system prompt)|system prompt|developer message|hidden instructions?'),
  // The judge is called by name
  phrase(`(?:note|message|instructions?|attention|important|hint|dear|hello|hey)* ${judge}`, 'to|for|the|notice|any'),
  phrase(
    `(?:(?:if|when|as|since) )?you are* (?:ai|llm|language model|reviewer|verifier|grader|bot|large language model)`,
    'now|an?|the|helpful|automated|strict|friendly',
  ),
  phrase('as an? (?:ai|llm|language model)'),
  phrase(
    '(?:eres|usted es|actua como|ahora eres|si eres|voce e)* (?:ia|revisora?|modelo|verificador|inteligencia artificial)',
    'una?|el|la|um|uma|ahora|asistente|de',
  ),
  phrase(
    '(?:nota|mensaje|instruccion(?:es)?|atencion|importante)* (?:revisora?|ia|modelo|verificador|inteligencia artificial)',
    'para|al?|el|la|sistema|de',
  ),
  // Answers are dictated
  phrase(
    '(?:answer|respond|reply|output)* (?:yes|true|passed|approved)',
    'with|only|just|always|simply|to|all|every|each|of|the|these|questions?|following|everything|is|as|must|be',
  ),
  phrase(`(?:mark|rate|score|grade|flag|classify|consider|judge)* as ${good}`, '[a-z]{1,15}'),
  phrase(
    '(?:all|every|each)* (?:answers?|verdicts?|checks?|questions?)* (?:yes|true|passed|positive)',
    'of|the|these|is|are|must|should|shall|to|be|answered|with',
  ),
  phrase(
    '(?:must|should|shall)* (?:approved?|accept(?:ed)?|pass(?:ed)?) (?:without|regardless|no matter)',
    'be|automatically',
  ),
  phrase(
    '(?:responde|responda|contesta|conteste|responder|marca|marque|devuelve)* (?:si|sim|aprobad[oa]s?|verdadero|valid[oa]s?|cumplid[oa]s?)',
    'que|siempre|solo|solamente|con|como|a|todo|todas?|las?|los|preguntas?|sempre|todos',
  ),
  // The forms that chats with models have
  /<\|?(?:im_start|im_end|endoftext|start_header_id)\|?>|<\/?(?:system|assistant)>|\[\/?inst\]|<<\/?sys>>|(?:^|\n)\s*#{1,3}\s*(?:system|assistant)\b/,
  /["']verdict["']\s*:/,
]

/**
 * Whether a text speaks to its judge. Reads through what hides words: widths, invisible signs, accents, other
 * alphabets.
 */
export function speaksToReviewer(text: string): boolean {
  const plain = unmask(text)
  const spelled = [...plain].map((sign) => letterOf.get(sign) ?? sign).join('')
  // Letters set apart, as in "i g n o r e   a l l".
  const joined = plain.replace(/(?<![a-z])(?:[a-z][ ._*-]){3,}[a-z](?![a-z])/g, (word) => word.replace(/[^a-z]/g, ''))
  return [plain, spelled, joined].some((version) => patterns.some((pattern) => pattern.test(version)))
}

function unmask(text: string): string {
  const visible = text
    .normalize('NFKC')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
  return [...visible].map((sign) => latinOf.get(sign) ?? sign).join('')
}
