/**
 * Publishing makes the caller the buyer, so a task that offers to sell is refused (spec §1.7).
 * The rule is a closed list of openings by which a seller speaks of itself, tried on the title and on the first
 * sentence of the instructions: it must never refuse a buyer, and lets a seller through who hides the offer.
 */
const openings = [
  /^\s*(?:i|we)(?:'m| am| are|'re)?\s+(?:offer(?:ing)?|sell(?:ing)?|provid(?:e|ing))\b/i,
  /^\s*(?:hire|buy from|pay)\s+(?:me|us)\b/i,
  /^\s*(?:for sale|selling|offering)\b/i,
  /^\s*(?:i|we)\s+(?:will|can|would)\s+[a-z ]{0,30}\bfor you\b/i,
  /^\s*my\s+(?:services?|gig|offer)\b/i,
  /^\s*(?:\[?(?:wts|sell)\]?)[\s:]/i,
]

export function offersToSell(title: string, instructions: string): boolean {
  const firstSentence = instructions.split(/[.!?\n]/, 1)[0] ?? ''
  return openings.some((opening) => opening.test(title) || opening.test(firstSentence))
}
