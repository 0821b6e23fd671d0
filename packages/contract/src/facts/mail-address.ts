const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

/** One address and nothing beside it: no list, no name, no quotes, no line break (RFC 5321 §4.1.2, dot-string). */
export const mailAddressPattern = `^${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`
const whole = new RegExp(mailAddressPattern)

/** Whether a text is of that form and no longer than a server takes it (RFC 5321 §4.5.3.1). */
export const isMailAddress = (text: string): boolean =>
  text.length <= 254 && text.lastIndexOf('@') <= 64 && whole.test(text)
