/** A number with the whole of its fraction, in any script: `48.20821`, `16,373 81`, `٤٨٫٢٠٨`. */
const fraction = /\p{Nd}+[ \t]*[.,·٫’'][ \t]*\p{Nd}{3,}(?:[ \t]\p{Nd}{2,}(?![.,·٫]?\p{Nd}))*/gu
/** An angle: `48°12'29.6"N`, `48 deg 12`, `48º`; a temperature is none. */
const angle =
  /\p{Nd}+(?:[.,]\p{Nd}+)?[ \t]*(?:[°º˚](?![ \t]*[CFK](?!\p{L}))|deg(?:rees?)?(?!\p{L}|[ \t]+(?:celsius|fahrenheit)))(?:[ \t]*\p{Nd}+(?:[.,]\p{Nd}+)?['′’"″”]{0,2}){0,2}(?:[ \t]*[NSEW](?!\p{L}))?/giu
/** Grid references and scaled degrees are long numbers. */
const long = /\p{Nd}{6,}/gu
/** Open location code (plus code). */
const plusCode = /[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]{2,7}/giu

/**
 * Free text without the numbers that may be a position: exact coordinates are for the assigned worker and the publisher
 * alone.
 */
export function withoutCoordinates(text: string): string {
  return [plusCode, angle, fraction, long].reduce((masked, pattern) => masked.replace(pattern, '[number]'), text)
}
