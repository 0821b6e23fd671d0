import type { Language } from '../lib/language.ts'

export type ErrorText = { readonly says: string; readonly doNow: string }

/** What a code of the service means to a person; undefined for a code of a newer service. */
export function textOfCode(_code: string, _language: Language): ErrorText | undefined {
  return undefined
}

const faults: Readonly<Record<string, Readonly<Record<Language, ErrorText>>>> = {
  signing_refused: { en: { says: 'You did not sign.', doNow: 'Nothing happened. Try again when you want to.' }, es: { says: 'No has firmado.', doNow: 'No ha pasado nada. Inténtalo de nuevo cuando quieras.' } },
  ChallengeMismatch: { en: { says: 'The service asked you to sign something else than you agreed to.', doNow: 'Nothing was signed. Reload the page and compare; tell the operator if it happens again.' }, es: { says: 'El servicio pidió firmar algo distinto de lo acordado.', doNow: 'No se ha firmado nada. Recarga la página y compara; avisa al operador si se repite.' } },
  WalletMissing: { en: { says: 'The wallet you signed in with is not in this browser now.', doNow: 'Unlock it or switch it back to the account you signed in with, or sign in again.' }, es: { says: 'La cartera con la que iniciaste sesión no está ahora en este navegador.', doNow: 'Desbloquéala o vuelve a la cuenta con la que entraste, o inicia sesión de nuevo.' } },
  unknown: { en: { says: 'This did not work.', doNow: 'Try again; reload the page if it happens twice.' }, es: { says: 'No ha funcionado.', doNow: 'Inténtalo de nuevo; recarga la página si se repite.' } },
}

/** What went wrong on this side of the wire. */
export function textOfFault(fault: string, language: Language): ErrorText {
  const known = faults[fault] ?? faults['unknown']
  if (known === undefined) throw new Error('the table has a row for the unknown')
  return known[language]
}
