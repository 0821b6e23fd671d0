import { defineMessages } from '../../lib/messages.ts'

/** What is asked about a task before a worker is chosen. */
export const questionMessages = defineMessages({
  en: {
    title: 'Questions',
    lead: 'Questions and answers are public. They close when a worker is chosen.',
    none: 'No questions yet.',
    ask: 'Ask a question',
    question: 'Your question',
    questionHelp: 'Everybody can read it. Keep addresses and codes for later.',
    asked: 'Your question was asked.',
    answer: 'Answer',
    yourAnswer: 'Your answer',
    answered: 'Your answer was published.',
    byPublisher: 'Answer from the publisher',
    byName: 'Answer from {name}',
    waiting: 'Not answered yet.',
    removed: 'Removed with the account of the person who wrote it.',
    send: 'Send',
  },
  es: {
    title: 'Preguntas',
    lead: 'Las preguntas y las respuestas son públicas. Se cierran al elegir a quien trabaja.',
    none: 'Todavía no hay preguntas.',
    ask: 'Hacer una pregunta',
    question: 'Tu pregunta',
    questionHelp: 'La lee todo el mundo. Deja las direcciones y los códigos para después.',
    asked: 'Tu pregunta está publicada.',
    answer: 'Responder',
    yourAnswer: 'Tu respuesta',
    answered: 'Tu respuesta está publicada.',
    byPublisher: 'Respuesta de quien publica',
    byName: 'Respuesta de {name}',
    waiting: 'Sin respuesta todavía.',
    removed: 'Se borró con la cuenta de quien lo escribió.',
    send: 'Enviar',
  },
})
