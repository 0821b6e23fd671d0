import { defineMessages } from '../../lib/messages.ts'

/** What the two sides of a task write to one another. */
export const talkMessages = defineMessages({
  en: {
    title: 'Messages',
    lead: 'Between the publisher and the worker. Messages cannot be changed, and in a dispute the person who decides reads them.',
    publisher: 'Publisher',
    worker: 'Worker',
    you: 'You',
    none: 'No messages yet.',
    removed: 'Removed with the account of the person who wrote it.',
    write: 'Your message',
    send: 'Send',
    sent: 'Your message was sent.',
    earlier: 'Show earlier messages',
    over: 'The task is over, so you can no longer write here.',
  },
  es: {
    title: 'Mensajes',
    lead: 'Entre quien publica y quien trabaja. Un mensaje no se puede cambiar y, si hay disputa, lo lee quien decide.',
    publisher: 'Quien publica',
    worker: 'Quien trabaja',
    you: 'Tú',
    none: 'Todavía no hay mensajes.',
    removed: 'Se borró con la cuenta de quien lo escribió.',
    write: 'Tu mensaje',
    send: 'Enviar',
    sent: 'Tu mensaje se ha enviado.',
    earlier: 'Ver mensajes anteriores',
    over: 'La tarea ha terminado y ya no se puede escribir.',
  },
})
