import { defineMessages } from '../../../lib/messages.ts'

/** Notices that are mailed. */
export const mailMessages = defineMessages({
  en: {
    title: 'By mail',
    lead: 'A mail says what kind of thing happened and links to the page, without names, titles or amounts.',
    address: 'Your address',
    addressHint: 'We mail you a link to confirm it, and nothing else until you have.',
    addressWrong: 'Write one address, such as ana@example.org.',
    turnOn: 'Send the confirmation',
    save: 'Save',
    waiting: 'Confirm your address',
    waitingHelp: 'We sent a link to {address}. Open it within a day and press the button. Check your junk mail too.',
    isOn: 'Notices are mailed to {address}.',
    sent: 'The confirmation is on its way.',
    saved: 'Your choice is saved.',
    stop: 'Stop the mails',
    stopped: 'No more notices are mailed, and the address is forgotten.',
  },
  es: {
    title: 'Por correo',
    lead: 'El correo dice qué tipo de cosa ha pasado y enlaza a la página, sin nombres, títulos ni importes.',
    address: 'Tu dirección de correo',
    addressHint: 'Te enviamos un enlace para confirmarla, y nada más hasta que lo hagas.',
    addressWrong: 'Escribe una sola dirección, como ana@example.org.',
    turnOn: 'Enviar la confirmación',
    save: 'Guardar',
    waiting: 'Confirma tu dirección',
    waitingHelp:
      'Enviamos un enlace a {address}. Ábrelo antes de un día y pulsa el botón. Mira también en el correo no deseado.',
    isOn: 'Los avisos se envían a {address}.',
    sent: 'La confirmación está en camino.',
    saved: 'Tu elección está guardada.',
    stop: 'No recibir más correos',
    stopped: 'Ya no se envían avisos por correo y la dirección se ha borrado.',
  },
})
