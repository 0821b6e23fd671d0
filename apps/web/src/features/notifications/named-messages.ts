import { defineMessages } from '../../lib/messages.ts'

/** What happened where it is known who did it: by the event and the side of the reader. */
export const namedMessages = defineMessages({
  en: {
    'worker.applied publisher': '{who} applied for your task',
    'submission.received publisher': '{who} handed in work for you to review',
    'message.sent publisher': '{who} wrote to you',
    'message.sent worker': '{who} wrote to you',
    'question.asked publisher': '{who} asked about your task',
    'question.answered worker': '{who} answered your question',
    'task.assigned worker': '{who} chose you: you can begin',
    'worker.application_withdrawn publisher': '{who} took an application back',
    'task.withdrawn publisher': '{who} stepped down: the task needs another person',
    'task.handed_on publisher': '{who} is next and waits for you to choose',
    'worker.deadline_moved worker': '{who} gave you more time',
    'submission.approved worker': '{who} approved your work',
    'submission.rejected worker': '{who} refused your work',
    'submission.revision_requested worker': '{who} asks you for changes',
    'portfolio.asked publisher': '{who} asks to show this work on a profile',
  },
  es: {
    'worker.applied publisher': '{who} se ofrece para tu tarea',
    'submission.received publisher': '{who} entregó trabajo para que lo revises',
    'message.sent publisher': '{who} te ha escrito',
    'message.sent worker': '{who} te ha escrito',
    'question.asked publisher': '{who} pregunta por tu tarea',
    'question.answered worker': '{who} respondió a tu pregunta',
    'task.assigned worker': '{who} te eligió: puedes empezar',
    'worker.application_withdrawn publisher': '{who} retiró su candidatura',
    'task.withdrawn publisher': '{who} se retiró: la tarea necesita a alguien más',
    'task.handed_on publisher': '{who} es la siguiente persona y espera a que decidas',
    'worker.deadline_moved worker': '{who} te dio más tiempo',
    'submission.approved worker': '{who} aprobó tu trabajo',
    'submission.rejected worker': '{who} rechazó tu trabajo',
    'submission.revision_requested worker': '{who} te pide cambios',
    'portfolio.asked publisher': '{who} pide mostrar este trabajo en su perfil',
  },
})
