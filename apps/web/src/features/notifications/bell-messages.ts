import { defineMessages } from '../../lib/messages.ts'

/** Apart from the page's: whoever is signed in loads these on every page. */
export const bellMessages = defineMessages({
  en: {
    bell: 'Notifications',
    bellCount: '{n, plural, =0 {nothing new} other {# new}}',
    bellMore: '{n, number}+ new',
    bellLost: 'not live',
  },
  es: {
    bell: 'Avisos',
    bellCount: '{n, plural, =0 {nada nuevo} one {# nuevo} other {# nuevos}}',
    bellMore: '{n, number}+ nuevos',
    bellLost: 'no está en directo',
  },
})
