-- The follower asks which moves of fees it has booked in the blocks that may still be undone.
create index distributions_by_block on distributions (network, block_number);
