import { defineMessages } from '../../lib/messages.ts'

/** Adding to a dispute what one side has to say. */
export const statementMessages = defineMessages({
  en: {
    add: 'Add a statement',
    help: 'The other side and whoever decides read it. It cannot be changed or taken back.',
    statement: 'What happened, as you see it',
    links: 'Links to evidence',
    linksHelp: 'One address per line, beginning with https://. Optional.',
    send: 'Add the statement',
    added: 'Your statement was added.',
  },
  es: {
    add: 'Añadir una declaración',
    help: 'La leen la otra parte y quien decida. No se puede cambiar ni retirar.',
    statement: 'Lo que pasó, según tú',
    links: 'Enlaces a pruebas',
    linksHelp: 'Una dirección por línea, que empiece por https://. Opcional.',
    send: 'Añadir la declaración',
    added: 'Tu declaración se ha añadido.',
  },
})
