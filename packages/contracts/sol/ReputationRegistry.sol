// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IAgentOwnership {
    function isAuthorizedOrOwner(address spender, uint256 agentId) external view returns (bool);
}

/// @notice Feedback about agents (ERC-8004). The author is always the caller; an owner cannot rate its own agent.
contract ReputationRegistry {
    struct Feedback {
        int128 value;
        uint8 valueDecimals;
        bool isRevoked;
        string tag1;
        string tag2;
    }

    struct Matches {
        address[] clients;
        uint64[] feedbackIndexes;
        int128[] values;
        uint8[] valueDecimals;
        string[] tag1s;
        string[] tag2s;
        bool[] revokedStatuses;
    }

    uint8 private constant MAX_DECIMALS = 18;
    int128 private constant MAX_VALUE = 1e38;

    address private immutable _identityRegistry;
    mapping(uint256 agentId => address[]) private _clients;
    mapping(uint256 agentId => mapping(address client => uint64)) private _lastIndex;
    mapping(uint256 agentId => mapping(address client => mapping(uint64 index => Feedback))) private _feedback;
    mapping(bytes32 feedbackKey => mapping(address responder => uint64)) private _responseCount;
    mapping(bytes32 feedbackKey => address[]) private _responders;

    event NewFeedback(
        uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, int128 value,
        uint8 valueDecimals, string indexed indexedTag1, string tag1, string tag2, string endpoint,
        string feedbackURI, bytes32 feedbackHash
    );
    event FeedbackRevoked(uint256 indexed agentId, address indexed clientAddress, uint64 indexed feedbackIndex);
    event ResponseAppended(
        uint256 indexed agentId, address indexed clientAddress, uint64 feedbackIndex, address indexed responder,
        string responseURI, bytes32 responseHash
    );

    constructor(address identityRegistry) {
        require(identityRegistry != address(0), "bad identity");
        _identityRegistry = identityRegistry;
    }

    function giveFeedback(
        uint256 agentId, int128 value, uint8 valueDecimals, string calldata tag1, string calldata tag2,
        string calldata endpoint, string calldata feedbackURI, bytes32 feedbackHash
    ) external {
        require(valueDecimals <= MAX_DECIMALS, "too many decimals");
        require(value >= -MAX_VALUE && value <= MAX_VALUE, "value too large");
        require(
            !IAgentOwnership(_identityRegistry).isAuthorizedOrOwner(msg.sender, agentId), "Self-feedback not allowed"
        );
        uint64 index = ++_lastIndex[agentId][msg.sender];
        if (index == 1) _clients[agentId].push(msg.sender);
        _feedback[agentId][msg.sender][index] = Feedback(value, valueDecimals, false, tag1, tag2);
        emit NewFeedback(
            agentId, msg.sender, index, value, valueDecimals, tag1, tag1, tag2, endpoint, feedbackURI, feedbackHash
        );
    }

    function revokeFeedback(uint256 agentId, uint64 feedbackIndex) external {
        _requireIndex(agentId, msg.sender, feedbackIndex);
        Feedback storage feedback = _feedback[agentId][msg.sender][feedbackIndex];
        require(!feedback.isRevoked, "Already revoked");
        feedback.isRevoked = true;
        emit FeedbackRevoked(agentId, msg.sender, feedbackIndex);
    }

    function appendResponse(
        uint256 agentId, address clientAddress, uint64 feedbackIndex, string calldata responseURI,
        bytes32 responseHash
    ) external {
        require(bytes(responseURI).length > 0, "Empty URI");
        _requireIndex(agentId, clientAddress, feedbackIndex);
        bytes32 key = _feedbackKey(agentId, clientAddress, feedbackIndex);
        if (_responseCount[key][msg.sender]++ == 0) _responders[key].push(msg.sender);
        emit ResponseAppended(agentId, clientAddress, feedbackIndex, msg.sender, responseURI, responseHash);
    }

    /// @notice The mean of the named clients' feedback, in the number of decimals that most of it uses. The clients
    /// must be named: a mean over anybody would be a mean over made-up accounts.
    function getSummary(uint256 agentId, address[] calldata clientAddresses, string calldata tag1, string calldata tag2)
        external view returns (uint64 count, int128 summaryValue, uint8 summaryValueDecimals)
    {
        require(clientAddresses.length > 0, "clientAddresses required");
        Matches memory found = _match(agentId, clientAddresses, tag1, tag2, false);
        if (found.values.length == 0) return (0, 0, 0);
        int256 sum = 0;
        uint256[19] memory uses;
        for (uint256 i = 0; i < found.values.length; i++) {
            sum += int256(found.values[i]) * int256(10 ** uint256(MAX_DECIMALS - found.valueDecimals[i]));
            uses[found.valueDecimals[i]]++;
        }
        for (uint8 d = 1; d <= MAX_DECIMALS; d++) {
            if (uses[d] > uses[summaryValueDecimals]) summaryValueDecimals = d;
        }
        count = uint64(found.values.length);
        int256 mean = sum / int256(found.values.length);
        int256 scaled = mean / int256(10 ** uint256(MAX_DECIMALS - summaryValueDecimals));
        // A huge value without decimals among small ones with many: fewer decimals rather than a wrong number. With
        // none the mean fits, for it lies between values of at most 1e38.
        while (scaled != int128(scaled)) {
            scaled /= 10;
            summaryValueDecimals--;
        }
        summaryValue = int128(scaled);
    }

    function readFeedback(uint256 agentId, address clientAddress, uint64 feedbackIndex)
        external view
        returns (int128 value, uint8 valueDecimals, string memory tag1, string memory tag2, bool isRevoked)
    {
        _requireIndex(agentId, clientAddress, feedbackIndex);
        Feedback storage feedback = _feedback[agentId][clientAddress][feedbackIndex];
        return (feedback.value, feedback.valueDecimals, feedback.tag1, feedback.tag2, feedback.isRevoked);
    }

    /// @notice Every matching feedback; an empty list of clients means all of them.
    function readAllFeedback(
        uint256 agentId, address[] calldata clientAddresses, string calldata tag1, string calldata tag2,
        bool includeRevoked
    )
        external view
        returns (
            address[] memory clients, uint64[] memory feedbackIndexes, int128[] memory values,
            uint8[] memory valueDecimals, string[] memory tag1s, string[] memory tag2s, bool[] memory revokedStatuses
        )
    {
        address[] memory named = clientAddresses;
        if (named.length == 0) named = _clients[agentId];
        Matches memory found = _match(agentId, named, tag1, tag2, includeRevoked);
        return (
            found.clients, found.feedbackIndexes, found.values, found.valueDecimals, found.tag1s, found.tag2s,
            found.revokedStatuses
        );
    }

    /// @notice How many responses there are; zero address, index zero and an empty list each mean all.
    function getResponseCount(
        uint256 agentId, address clientAddress, uint64 feedbackIndex, address[] calldata responders
    ) external view returns (uint64 count) {
        address[] memory clients = _clients[agentId];
        if (clientAddress != address(0)) {
            clients = new address[](1);
            clients[0] = clientAddress;
        }
        for (uint256 i = 0; i < clients.length; i++) {
            uint64 last = _lastIndex[agentId][clients[i]];
            if (feedbackIndex != 0) {
                if (feedbackIndex <= last) count += _countResponses(agentId, clients[i], feedbackIndex, responders);
                continue;
            }
            for (uint64 index = 1; index <= last; index++) {
                count += _countResponses(agentId, clients[i], index, responders);
            }
        }
    }

    function getClients(uint256 agentId) external view returns (address[] memory) {
        return _clients[agentId];
    }

    function getLastIndex(uint256 agentId, address clientAddress) external view returns (uint64) {
        return _lastIndex[agentId][clientAddress];
    }

    function getIdentityRegistry() external view returns (address) {
        return _identityRegistry;
    }

    function getVersion() external pure returns (string memory) {
        return "2.0.0";
    }

    function _countResponses(uint256 agentId, address client, uint64 index, address[] calldata responders)
        private view returns (uint64 count)
    {
        bytes32 key = _feedbackKey(agentId, client, index);
        address[] memory counted = responders;
        if (counted.length == 0) counted = _responders[key];
        for (uint256 i = 0; i < counted.length; i++) count += _responseCount[key][counted[i]];
    }

    function _match(
        uint256 agentId, address[] memory clients, string calldata tag1, string calldata tag2, bool includeRevoked
    ) private view returns (Matches memory found) {
        uint256 total = 0;
        for (uint256 i = 0; i < clients.length; i++) total += _lastIndex[agentId][clients[i]];
        found = Matches(
            new address[](total), new uint64[](total), new int128[](total), new uint8[](total), new string[](total),
            new string[](total), new bool[](total)
        );
        uint256 n = 0;
        for (uint256 i = 0; i < clients.length; i++) {
            for (uint64 index = 1; index <= _lastIndex[agentId][clients[i]]; index++) {
                Feedback memory feedback = _feedback[agentId][clients[i]][index];
                if (feedback.isRevoked && !includeRevoked) continue;
                if (!_hasTag(feedback.tag1, tag1) || !_hasTag(feedback.tag2, tag2)) continue;
                found.clients[n] = clients[i];
                found.feedbackIndexes[n] = index;
                found.values[n] = feedback.value;
                found.valueDecimals[n] = feedback.valueDecimals;
                found.tag1s[n] = feedback.tag1;
                found.tag2s[n] = feedback.tag2;
                found.revokedStatuses[n++] = feedback.isRevoked;
            }
        }
        _truncate(found, n);
    }

    /// Shortens the arrays in place: memory cannot grow, so they start at the largest possible length.
    function _truncate(Matches memory found, uint256 length) private pure {
        assembly ("memory-safe") {
            for { let field := 0 } lt(field, 7) { field := add(field, 1) } {
                mstore(mload(add(found, mul(field, 0x20))), length)
            }
        }
    }

    function _hasTag(string memory tag, string calldata wanted) private pure returns (bool) {
        return bytes(wanted).length == 0 || keccak256(bytes(tag)) == keccak256(bytes(wanted));
    }

    function _requireIndex(uint256 agentId, address client, uint64 index) private view {
        require(index > 0, "index must be > 0");
        require(index <= _lastIndex[agentId][client], "index out of bounds");
    }

    function _feedbackKey(uint256 agentId, address client, uint64 index) private pure returns (bytes32) {
        return keccak256(abi.encode(agentId, client, index));
    }
}
