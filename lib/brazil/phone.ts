const BRAZILIAN = /^\+55([1-9]{2})(\d{4,5})(\d{4})$/;

/** "(11) 98888-7777" of "+5511988887777"; a number of another country, or one that is no number, stays as it is. */
export const shownPhone = (phone: string): string => phone.replace(BRAZILIAN, "($1) $2-$3");
