import type { NoticeLanguage } from '@ergon/core'
import type { Notice } from './notice-words.ts'

export type LetterText = { readonly subject: string; readonly text: string; readonly html: string }
type Links = { readonly openUrl: string; readonly stopUrl: string }

const words = {
  en: {
    open: 'Open it',
    notice: (host: string) => `This is a notice of ${host}. The page tells more.`,
    stop: 'Stop these mails',
    confirmSubject: 'Confirm your address',
    confirm: (host: string) =>
      `A wallet at ${host} asked for its notices at this address. If that was you, open the page and confirm ` +
      'within a day. If not, do nothing: no notice is sent.',
    confirmOpen: 'Confirm the address',
    stopAsking: 'It was not me',
  },
  es: {
    open: 'Abrir',
    notice: (host: string) => `Este es un aviso de ${host}. La página cuenta más.`,
    stop: 'No recibir más correos',
    confirmSubject: 'Confirma tu dirección',
    confirm: (host: string) =>
      `Una cartera de ${host} pidió recibir sus avisos en esta dirección. Si eras tú, abre la página y confirma ` +
      'antes de un día. Si no, no hagas nada: no se envía ningún aviso.',
    confirmOpen: 'Confirmar la dirección',
    stopAsking: 'No era yo',
  },
} as const

/** A notice as a mail: what a notice on a lock screen says, and where to look. */
export function noticeLetter(language: NoticeLanguage, { title }: Notice, links: Links): LetterText {
  const say = words[language]
  return letter(language, { title, body: say.notice(hostOf(links)), open: say.open, stop: say.stop }, links)
}

export function confirmationLetter(language: NoticeLanguage, links: Links): LetterText {
  const say = words[language]
  const said = { title: say.confirmSubject, body: say.confirm(hostOf(links)), open: say.confirmOpen }
  return letter(language, { ...said, stop: say.stopAsking }, links)
}

const hostOf = ({ openUrl }: Links): string => new URL(openUrl).host

type Said = { readonly title: string; readonly body: string; readonly open: string; readonly stop: string }

function letter(language: NoticeLanguage, { title, body, open, stop }: Said, { openUrl, stopUrl }: Links): LetterText {
  return {
    subject: title,
    text: `${title}\n\n${body}\n\n${open}: ${openUrl}\n\n${stop}: ${stopUrl}\n`,
    html: [
      `<!doctype html><html lang="${language}"><body>`,
      `<h1 style="font-size:1.2em">${inMarkup(title)}</h1>`,
      `<p>${inMarkup(body)}</p>`,
      `<p><a href="${inMarkup(openUrl)}">${inMarkup(open)}</a></p>`,
      `<p><a href="${inMarkup(stopUrl)}">${inMarkup(stop)}</a></p>`,
      '</body></html>',
    ].join('\n'),
  }
}

const inMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
