import { defineMessages } from '../lib/messages.ts'

/** Whose turn it is, said to the publisher (`p.`) and to the worker (`w.`). */
export const turnMessages = defineMessages({
  en: {
    'p.publisher': 'Your turn',
    'p.worker': 'The worker’s turn',
    'p.service': 'Under way',
    'p.arbiter': 'The arbiter’s turn',
    'p.applicants': 'Waiting for applicants',
    'p.nobody': 'Over',
    'w.publisher': 'The publisher’s turn',
    'w.worker': 'Your turn',
    'w.service': 'Under way',
    'w.arbiter': 'The arbiter’s turn',
    'w.applicants': 'Open',
    'w.nobody': 'Over',
    left: 'ends {when}',
    ended: 'ended {when}',
  },
  es: {
    'p.publisher': 'Te toca',
    'p.worker': 'Le toca a quien trabaja',
    'p.service': 'En marcha',
    'p.arbiter': 'Le toca a quien arbitra',
    'p.applicants': 'Esperando candidaturas',
    'p.nobody': 'Terminada',
    'w.publisher': 'Le toca a quien publica',
    'w.worker': 'Te toca',
    'w.service': 'En marcha',
    'w.arbiter': 'Le toca a quien arbitra',
    'w.applicants': 'Abierta',
    'w.nobody': 'Terminada',
    left: 'termina {when}',
    ended: 'terminó {when}',
  },
})
