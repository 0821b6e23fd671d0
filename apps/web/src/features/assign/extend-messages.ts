import { defineMessages } from '../../lib/messages.ts'

/** Giving a task more time. */
export const extendMessages = defineMessages({
  en: {
    more: 'Give more time',
    says: 'The task ends on {until}. You can extend that, never shorten it. The worker and everybody who applied are told.',
    until: 'New deadline',
    bounds: 'At the latest {latest}. You can do this {left, plural, one {once more} other {# more times}}.',
    outside: 'Choose a time after the deadline and no later than {latest}.',
    extend: 'Extend the deadline',
    extended: 'The task now ends on {until}.',
    noMore: 'This deadline cannot be extended any more',
    noMoreSays:
      'It was extended as often or as far as it may be, money is moving, the money set aside does not last longer, or the work has been handed in.',
  },
  es: {
    more: 'Dar más tiempo',
    says: 'La tarea termina el {until}. Puedes ampliar el plazo, nunca acortarlo. Avisamos a quien trabaja y a quienes se han presentado.',
    until: 'Nuevo plazo',
    bounds: 'Como muy tarde, el {latest}. Puedes hacerlo {left, plural, one {una vez más} other {# veces más}}.',
    outside: 'Elige un momento posterior al plazo y no más tarde del {latest}.',
    extend: 'Ampliar el plazo',
    extended: 'La tarea termina ahora el {until}.',
    noMore: 'Este plazo ya no se puede ampliar',
    noMoreSays:
      'Ya se amplió tantas veces o tanto como se puede, hay dinero moviéndose, el dinero apartado no dura más o el trabajo ya está entregado.',
  },
})
