/** Signs that turn whatever follows them, an amount too, until they are ended. */
const turning = /[\u202A-\u202E]/g
/** More marks on one letter than any script has run over the lines around it. */
const stacked = /(\p{M}{4})\p{M}+/gu

/** What people wrote, for a line that says more: it turns nothing around it and runs over nothing (decision 0310). */
export function tamed(text: string): string {
  return text.replaceAll(turning, '').replaceAll(stacked, '$1')
}
