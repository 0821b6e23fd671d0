/**
 * Whether a task reads like an offer to sell (spec §1.7): `sure` is refused, `unsure` is worth a warning before it is
 * published.
 */
export type SellIntent = 'none' | 'unsure' | 'sure'

/**
 * Publishing makes the caller the buyer. Sure is a title by which a seller speaks of itself and in which nothing speaks
 * for a buyer, or one that may be such and instructions that begin like one; everything else that may be an offer is
 * unsure. English and Spanish are read, whatever their accents (decision 0141).
 */
export function sellIntent(title: string, instructions: string): SellIntent {
  const opening = openingOf(instructions)
  const [ofTitle, ofOpening] = [levelOf(plain(title)), levelOf(opening)]
  if (asksFor.test(plain(title)) || asksFor.test(opening))
    return ofTitle === 'none' && ofOpening === 'none' ? 'none' : 'unsure'
  if (ofTitle === 'sure' || (ofTitle === 'unsure' && ofOpening === 'sure')) return 'sure'
  return ofTitle === 'none' && ofOpening === 'none' ? 'none' : 'unsure'
}

/** Longer openings decide nothing. */
const openingLength = 300

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase().trim()
}

/** The first sentence; a question mark does not end it, because sellers ask and answer themselves. */
function openingOf(instructions: string): string {
  return plain(instructions.slice(0, openingLength)).split(/[.!\n]/, 1)[0] ?? ''
}

function levelOf(text: string): SellIntent {
  if (offersMoney.test(text)) return 'none'
  if (plainOffers.some((one) => one.test(text))) return 'sure'
  if (statements.some((one) => one.test(text))) return goesOn.test(text) ? 'unsure' : 'sure'
  return hints.some((one) => one.test(text)) ? 'unsure' : 'none'
}

const money =
  '(?:(?:up to|about|around|over|hasta|unos|unas|an?|the|una?|my|mi|diez|ten)\\s+)*' +
  '(?:\\w+\\s+)?(?:[$€£]|\\d|\\w*\\s?(?:dollars?|dolares?|usdc?|euros?|reward|recompensa|bounty|price|payment|tip|pago|dinero))'
/** A buyer names what it pays where a seller names what it does. */
const offersMoney = new RegExp(
  `^(?:(?:i|we)(?:'m|'re| am| are)?\\s+)?(?:(?:te|le|les|os)\\s+)?` +
    `(?:offer|offering|offers|ofrezco|ofrecemos|se ofrecen?)\\s+${money}(?!\\S*\\s+(?:per|a)\\s+hour)`,
)
/** Whoever asks for something buys, even where it also tells what it sells. */
const asksFor =
  /\b(?:i|we|and|but|still|also|i'm|we're)\s+(?:need|want|seek|look(?:ing)? for|require)\b|[:;,]\s*(?:need|help me)\b|\b(?:necesit(?:o|amos)|busc(?:o|amos)\s+(?!trabajo|empleo|clientes)|quier(?:o|emos)|ayudame)\b/

const makes =
  '(?:write|build|make|design|create|develop|translate|fix|repair|clean|edit|draw|paint|compose|record|proofread|' +
  'walk|teach|tutor|voice|mow|program|code)'
const hace =
  '(?:hago|hacemos|diseno|disenamos|traduzco|traducimos|escribo|escribimos|redacto|redactamos|arreglo|arreglamos|' +
  'desarrollo|desarrollamos|programo|dibujo|pinto|grabo|corrijo|limpio|paseo|reparo|reparamos|edito|monto)'
const hacer =
  '(?:hacer|disenar|traducir|escribir|redactar|arreglar|desarrollar|programar|dibujar|pintar|grabar|corregir|' +
  'limpiar|pasear|reparar|editar)'
const price = '(?:[$€£]\\s?\\d|\\d+(?:[.,]\\d+)?\\s?(?:usdc?|eur|euros?|dollars|dolares))'

/** Said by sellers alone, whatever follows. */
const plainOffers = [
  /^\[?wts\]?(?:\s|:)/,
  /^for sale\s*[:–-]\s*\w/,
  /^(?:hire|book)\s+(?:me|us)(?:\s+(?:as|for|to)\b|\s*(?:$|[,.!]))/,
  /^pay\s+(?:me|us)\s+(?:to\b|.*\band\s+(?:i|we)(?:\s+will|'ll)\b)/,
  /^buy\s+from\s+(?:me|us)\b/,
  /^my\s+services\s+as\b/,
  /^my\s+(?:gig|offer)\s*:/,
  /^(?:i|we)\s+(?:will|can|could)\s+.{2,60}\bfor you\s*(?:$|[.,!])/,
  new RegExp(`^(?:i|we)\\s+(?:will|can|could)\\s+(?:\\w+ly\\s+)?${makes}\\s+(?:your\\b|you\\s+an?\\b)`),
  new RegExp(`^(?:i|we)\\s+(?:can\\s+|will\\s+)?(?:do|${makes})\\b.*\\b(?:from|for|at|per)?\\s*${price}`),
  /^(?:i|we)\s.*\b(?:ask|contact\s+(?:me|us))\s+for\s+a\s+quote\b/,
  /^(?:do you )?need\b.{1,60}\?\s*(?:i|we)\b/,
  /\bavailable\s+for\s+(?:work|hire)\b/,
  /^looking\s+for\s+work\s*(?:$|[:,.])/,
  /^en\s+venta\s*[:–-]\s*(?:\d|\w)/,
  /^contra(?:ta|te)(?:me|nos)(?:\s+(?:como|para)\b|\s*(?:$|[,.!]))/,
  /^mis\s+servicios\s+como\b/,
  /^paga(?:me|nos)\b.*(?:\bpor\s+\w+r\b|\by\s+(?:te|yo)\b)/,
  new RegExp(`^(?:te|le|os)\\s+${hace}\\b`),
  new RegExp(`^${hace}\\s+(?:tus?|sus?)\\s`),
  new RegExp(`^${hace}\\b.*\\b(?:desde|por|a)?\\s*${price}`),
  new RegExp(`^(?:te\\s+)?pued(?:o|es?)\\s+${hacer}\\s+(?:tus?|sus?)\\b`),
  /^¿?\s*necesitas\b.{1,60}\?\s*(?:yo\s+)?te\s+l[oa]s?\b/,
  /\b(?:pide|solicita|consulta)\s+(?:tu\s+)?presupuesto\b/,
  /^busco\s+(?:trabajo|empleo)\s*(?:$|[:,.]|como\b)/,
]
/** Offers, unless the sentence goes on to ask for work. */
const statements = [
  /^(?:i|we)(?:'m| am| are|'re)?\s+(?:(?:offer|provide)(?!\s+(?:the|you|an?\s)\b)|offering|providing(?!\s+(?:the|all)\b))\b/,
  /^(?:i|we)(?:'m| am| are|'re)?\s+(?:sell|selling)\b/,
  /^(?:i'm|i am|we are|we're)\s+an?\s+\w+\s+(?:offering|selling)\b/,
  /^selling\s+(?!prices?\b|points?\b|fees?\b|costs?\b|to\b|on\b)/,
  /^offering\s+(?!letters?\b|memorandum\b|the\b|you\b)/,
  /^(?:te\s+)?(?:ofrezco|ofrecemos|brindo|brindamos|proporciono|proporcionamos|presto|prestamos)\s+(?!el\b|la\b|los\b|las\b)/,
  /^soy\s+\w+\s+y\s+ofrezco\b/,
  /^(?:vendo|vendemos|se\s+venden?)\s+\w/,
  /^se\s+(?:ofrecen?|dan|imparten)\s+\w/,
]
/** What follows a statement in a buyer's sentence: a colon, a part for the other side, a second clause. */
const goesOn =
  /[:;?]|,\s*(?:you|tu|usted|and|y|please|meet|find|compar\w+|prueba)\b|\band\s+(?:want|would|you|need)|\by\s+(?:quiero|tu|usted)\b|\byou\s+\w+|\bbut\b|\bpero\b/

/** Buyers say these too. */
const hints = [
  /\bfor\s+hire\b/,
  /^(?:i|we)\s+(?:offer|provide|will|can|do)\b.*\b(?:for you|your)\b/,
  /^looking\s+for\s+(?:clients|customers|a\s+job|work)\b/,
  /^(?:freelance|cheap|affordable|professional|experienced)\b/,
  /\b(?:satisfaction\s+guaranteed|at\s+your\s+service|low\s+prices)\b/,
  /^(?:order|buy)\s+(?:my|our|your)\b/,
  /^(?:let\s+me|contact\s+me|my\s+services?)\b/,
  /^(?:we|i)\s+(?:do|build|develop|design|translate|make)\b/,
  /^(?:i'm|i\s+am|soy)\s.*\b(?:call\s+me|ask\s+me|llamame|preguntame)\b/,
  /^renting\s+out\b/,
  /^for\s+sale\b/,
  /^mis?\s+servicios?\b/,
  /^compra\s+(?:mis?|nuestr[oa]s?)\b/,
  /^(?:busco|buscamos)\s+(?:clientes|trabajo|empleo)\b/,
  /^(?:alquilo|alquilamos|se\s+hacen|se\s+arreglan)\b/,
  /^(?:clases|servicio|paseo|traductor|disenador|desarrollador)\b.*\b(?:desde|hora|barat[oa]s?|disponible|precio)\b/,
  new RegExp(`^${hace}\\b(?!\\s+(?:de|del)\\b)`),
  /^puedo\s+\w+r\b/,
]
