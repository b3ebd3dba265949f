/** The cookie with the id of the team that a browser shows. */
export const teamCookie = "swarmloom-team";
