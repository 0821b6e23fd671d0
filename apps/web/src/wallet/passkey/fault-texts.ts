import { defineMessages } from '../../lib/messages.ts'

/** What keeps the wallet of this browser from doing it: a sentence, and a way on. */
export const faultTexts = defineMessages({
  en: {
    cancelled: 'Your passkey was not used, so nothing was signed. Try again when you want to.',
    refused: 'You did not sign. Nothing happened.',
    absent: 'This browser has no passkeys. Protect the wallet with a passphrase instead.',
    address: 'Passkeys need a name, not a number. Open this page as {href} and try again.',
    noPrf: 'This passkey cannot seal a wallet. Protect the wallet with a passphrase instead.',
    wrongKey:
      'That passkey does not open this wallet. Choose the one you made it with, or bring the wallet back with your key file.',
    wrongPassphrase: 'That passphrase does not open it. Look for capitals and spaces, and try again.',
    weakPassphrase: 'Use at least 12 characters, such as four words.',
    lostStore: 'This browser no longer keeps this wallet: its data was cleared. Bring it back with your key file.',
    noStore: 'This browser keeps nothing, as in some private windows. Open a usual window and try again.',
    changed: 'What this browser keeps of the wallet was changed from outside. Bring it back with your key file.',
    otherTab: 'This wallet is asking you something in another tab. Finish there first.',
    perPayment:
      '{amount} is more than the {limit} you allow for one payment. Raise the limit under Account if you want this.',
    perDay: 'With {amount} you would pass the {limit} you allow in a day. Wait, or raise the limit under Account.',
    unreadable: 'This wallet signs only what it can explain, and this is not among it. Nothing was signed.',
    token: 'This pays in a token that the wallet does not know. Nothing was signed.',
    notYours: 'This is to be paid by another wallet than this one. Nothing was signed.',
    otherSite: 'This would sign you in to another site, {site}. Nothing was signed.',
    method: 'This wallet does not do that.',
    fileOdd:
      'That is not a key file. Choose the file that you saved from an Ergon wallet or another wallet (version 3).',
    fileHeavy: 'That key file asks for more work than this device should do. Open it in the wallet it came from.',
    unknown: 'The wallet did not answer. Reload the page and try again.',
  },
  es: {
    cancelled: 'No se usó tu clave de acceso, así que no se ha firmado nada. Inténtalo de nuevo cuando quieras.',
    refused: 'No has firmado. No ha pasado nada.',
    absent: 'Este navegador no tiene claves de acceso. Protege la cartera con una frase de contraseña.',
    address:
      'Las claves de acceso necesitan un nombre, no un número. Abre esta página como {href} e inténtalo de nuevo.',
    noPrf: 'Esta clave de acceso no puede sellar una cartera. Protege la cartera con una frase de contraseña.',
    wrongKey:
      'Esa clave de acceso no abre esta cartera. Elige aquella con la que la creaste, o recupera la cartera con tu archivo de clave.',
    wrongPassphrase: 'Esa frase no la abre. Revisa mayúsculas y espacios e inténtalo de nuevo.',
    weakPassphrase: 'Usa al menos 12 caracteres, por ejemplo cuatro palabras.',
    lostStore: 'Este navegador ya no guarda esta cartera: se borraron sus datos. Recupérala con tu archivo de clave.',
    noStore:
      'Este navegador no guarda nada, como pasa en algunas ventanas privadas. Abre una ventana normal e inténtalo de nuevo.',
    changed: 'Lo que este navegador guarda de la cartera se cambió desde fuera. Recupérala con tu archivo de clave.',
    otherTab: 'Esta cartera te pregunta algo en otra pestaña. Termina allí primero.',
    perPayment: '{amount} supera los {limit} que permites en un pago. Si lo quieres, sube el límite en Cuenta.',
    perDay: 'Con {amount} pasarías de los {limit} que permites al día. Espera o sube el límite en Cuenta.',
    unreadable: 'Esta cartera solo firma lo que sabe explicar, y esto no lo sabe. No se ha firmado nada.',
    token: 'Esto paga con una moneda que la cartera no conoce. No se ha firmado nada.',
    notYours: 'Esto debe pagarlo otra cartera, no esta. No se ha firmado nada.',
    otherSite: 'Esto iniciaría tu sesión en otro sitio, {site}. No se ha firmado nada.',
    method: 'Esta cartera no hace eso.',
    fileOdd: 'Eso no es un archivo de clave. Elige el que guardaste de una cartera de Ergon o de otra (versión 3).',
    fileHeavy:
      'Ese archivo de clave pide más trabajo del que debe hacer este dispositivo. Ábrelo en la cartera de la que salió.',
    unknown: 'La cartera no ha respondido. Recarga la página e inténtalo de nuevo.',
  },
})
