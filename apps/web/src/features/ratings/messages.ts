import { defineMessages } from '../../lib/messages.ts'

export const ratingMessages = defineMessages({
  en: {
    worker: 'Rate the worker',
    agent: 'Rate the publisher',
    how: 'How was it?',
    stars: '{n, plural, one {# star} other {# stars}}',
    comment: 'Comment, public',
    go: 'Rate',
    confirmTitle: 'Publish this rating?',
    kept: 'On the chain',
    score: '{score} of 100',
    whom: 'Your rating',
    says: 'Anyone can read it for as long as the chain exists. It cannot be changed or taken back, and each task is rated once.',
    confirm: 'Publish the rating',
    rated: 'The rating is on the chain.',
    rating: 'The rating is on its way to the chain.',
    noIdentity: 'They have no public identity yet.',
    noIdentityHelp:
      'A rating belongs to an identity on the chain. They create it on their profile page; then you can rate them.',
  },
  es: {
    worker: 'Valorar a quien trabajó',
    agent: 'Valorar a quien publicó',
    how: '¿Qué tal?',
    stars: '{n, plural, one {# estrella} other {# estrellas}}',
    comment: 'Comentario, público',
    go: 'Valorar',
    confirmTitle: '¿Publicar esta valoración?',
    kept: 'En la cadena',
    score: '{score} de 100',
    whom: 'Tu valoración',
    says: 'Puede leerla cualquiera mientras exista la cadena. No se puede cambiar ni retirar, y cada tarea se valora una sola vez.',
    confirm: 'Publicar la valoración',
    rated: 'La valoración está en la cadena.',
    rating: 'La valoración va camino de la cadena.',
    noIdentity: 'Todavía no tiene una identidad pública.',
    noIdentityHelp:
      'Una valoración pertenece a una identidad en la cadena. La crea en su página de perfil; después podrás valorar.',
  },
})
