// The health check of the container: exits with 0 when the server in it is healthy.
const { PORT, SWARMLOOM_TOKEN } = process.env;
const headers = SWARMLOOM_TOKEN ? { authorization: `Bearer ${SWARMLOOM_TOKEN}` } : {};
const answer = await fetch(`http://127.0.0.1:${PORT || 3000}/api/health`, { headers });
process.exitCode = answer.ok ? 0 : 1;
