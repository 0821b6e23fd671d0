import { defineMessages } from '../lib/messages.ts'

/** What is wrong with a field, and what to do. */
export const faultMessages = defineMessages({
  en: {
    required: 'Fill this in.',
    too_short: 'Use at least {limit, plural, one {# character} other {# characters}}.',
    too_long: 'Use at most {limit, plural, one {# character} other {# characters}}.',
    too_small: 'Use {limit, number} or more.',
    too_large: 'Use {limit, number} or less.',
    too_many: 'Choose at most {limit, number}.',
    too_few: 'Choose at least {limit, number}.',
    not_listed: 'Choose one from the list.',
    no_number:
      'Write a number, with no sign between the thousands and decimals only where they make sense, for example 1000.',
    too_fine: 'Use at most {limit, plural, one {# decimal} other {# decimals}}.',
    malformed: 'This is not written as it has to be.',
  },
  es: {
    required: 'Rellena este campo.',
    too_short: 'Usa al menos {limit, plural, one {# carácter} other {# caracteres}}.',
    too_long: 'Usa como máximo {limit, plural, one {# carácter} other {# caracteres}}.',
    too_small: 'Usa {limit, number} o más.',
    too_large: 'Usa {limit, number} o menos.',
    too_many: 'Elige como máximo {limit, number}.',
    too_few: 'Elige al menos {limit, number}.',
    not_listed: 'Elige una opción de la lista.',
    no_number: 'Escribe un número, sin signo entre los miles y con decimales solo si tienen sentido, por ejemplo 1000.',
    too_fine: 'Usa como máximo {limit, plural, one {# decimal} other {# decimales}}.',
    malformed: 'No está escrito como debe.',
  },
})
